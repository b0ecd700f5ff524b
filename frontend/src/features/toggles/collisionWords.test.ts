import { expect, test } from 'vitest';
import { sideWords } from './collisionWords';
import type { Collision } from './merge';

const variant = (name: string, weight: number) => ({ name, weight, weightType: 'fix' });
const rollout = (percent: string) => ({ name: 'flexibleRollout', parameters: { rollout: percent } });

test.each<[Collision['kind'], unknown, unknown, unknown, readonly string[] | undefined, readonly string[] | undefined]>(
  [
    ['field', 'a', 'b', '', ['“b”'], ['empty']],
    ['field', true, false, undefined, ['no'], ['not set']],
    ['field', 1, { odd: 2 }, 3, undefined, undefined],
    ['strategy', rollout('25'), rollout('50'), undefined, ['rollout 25 → 50 %'], ['removed']],
    ['order', ['a', 'b'], ['b', 'a'], ['a', 'b'], ['1. b', '2. a'], ['1. a', '2. b']],
    ['variant', variant('a', 100), variant('a', 200), undefined, ['weight 10 → 20 %'], ['removed']],
    [
      'variants',
      [variant('a', 100)],
      [variant('a', 200), variant('b', 10)],
      [],
      ['Variant a: weight 10 → 20 %', 'Variant b: added: 1 %'],
      ['Variant a: removed'],
    ],
  ],
)('a %s that was %j: %j and %j', (kind, base, mine, theirs, mineWords, theirWords) => {
  const collision: Collision = { id: 'x', subject: 'x', kind, base, mine, theirs };
  expect(sideWords(collision, 'mine', [])).toEqual(mineWords);
  expect(sideWords(collision, 'theirs', [])).toEqual(theirWords);
});
