import { expect, test } from 'vitest';
import type { MergeConflict, Side } from '@/lib/merge';
import { describeConflictSide } from './ToggleConflict';

const variant = (name: string, weight: number) => ({ name, weight, weightType: 'fix' });
const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const inRegion = (...values: string[]) => ({
  name: 'default',
  constraints: [{ contextName: 'region', operator: 'IN', values }],
});
const forUsers = (...values: string[]) => ({ ...variant('a', 100), overrides: [{ contextName: 'userId', values }] });
const rollout = (percent: string) => ({ name: 'flexibleRollout', parameters: { rollout: percent } });

test.each<
  [MergeConflict['kind'], unknown, unknown, unknown, readonly string[] | undefined, readonly string[] | undefined]
>([
  ['field', 'a', 'b', '', ['“b”'], ['empty']],
  ['field', true, false, undefined, ['no'], ['not set']],
  ['field', 1, { odd: 2 }, 3, undefined, undefined],
  ['strategy', rollout('25'), rollout('50'), undefined, ['rollout 25 → 50 %'], ['removed']],
  ['strategy', users('a,b'), users('b,c'), users('a,b,d'), ['userIds: + c, − a'], ['userIds: + d']],
  ['strategy', users('a,b'), users('b,a'), users('a,c'), ['userIds: new order b, a'], ['userIds: + c, − b']],
  [
    'strategy',
    users(''),
    users('a,b,c,d,e,f'),
    users('a,b,c,d,e,g'),
    ['userIds: + a, + b, + c, + d, + e, + f'],
    ['userIds: + a, + b, + c, + d, + e, + g'],
  ],
  // Alike in words: only the values show the difference.
  ['strategy', users('a'), users('a,b'), users('a, b'), undefined, undefined],
  [
    'strategy',
    inRegion('eu'),
    inRegion('us'),
    inRegion('eu', 'asia'),
    ['region is one of: + us, − eu'],
    ['region is one of: + asia'],
  ],
  [
    'variant',
    forUsers('ada'),
    forUsers('bob'),
    forUsers(),
    ['override userId: + bob, − ada'],
    ['override userId: − ada'],
  ],
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
])('a %s that was %j: %j and %j', (kind, base, mine, theirs, mineWords, theirWords) => {
  const conflict: MergeConflict = { id: 'x', subject: 'x', kind, base, mine, theirs };
  const words = (side: Side) =>
    describeConflictSide(conflict, side, { definitions: [], locale: 'en' })?.map((line) =>
      line.replaceAll('\u00a0', ' '),
    );
  expect(words('mine')).toEqual(mineWords);
  expect(words('theirs')).toEqual(theirWords);
});
