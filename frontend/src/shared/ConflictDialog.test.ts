import { expect, test } from 'vitest';
import { describeSide, describeValue } from './ConflictDialog';

test.each<[unknown, unknown, readonly string[] | undefined]>([
  ['old', 'new', ['“new”']],
  ['old', '', ['empty']],
  ['old', null, ['not set']],
  [true, false, ['no']],
  [false, true, ['yes']],
  [
    ['eu', 'us'],
    ['eu', 'asia'],
    ['+ asia', '− us'],
  ],
  [['eu', 'us'], ['us', 'eu'], ['order: us, eu']],
  // Only JSON shows these.
  [undefined, ['eu'], undefined],
  [['eu'], [1], undefined],
  [1, 2, undefined],
])('the change of %j to %j is described as %j', (base, value, lines) => {
  expect(describeValue(value, { base })).toEqual(lines);
});

test('two sides with the same description are shown as values', () => {
  const conflict = { id: 'x', subject: 'x', kind: 'field', base: 'a', mine: 'b', theirs: 'c' };
  expect(describeSide(conflict, 'mine', () => ['changed'])).toBeUndefined();
  expect(describeSide(conflict, 'theirs', (value) => [`now ${value}`])).toEqual(['now c']);
});
