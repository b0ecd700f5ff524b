import { expect, test } from 'vitest';
import { mergeEdit } from './mergeEdit';

type Thing = { [field: string]: unknown };

const base: Thing = { name: 'team', description: 'Owner', icon: 'T', list: ['a'] };

test.each<[string, Thing, Thing, Thing, string[]]>([
  ['keeps the stored object if nothing was edited', {}, { icon: 'X' }, { icon: 'X' }, []],
  ['applies an edit', { icon: 'X' }, {}, { icon: 'X' }, []],
  [
    'merges edits of different fields',
    { icon: 'X' },
    { description: 'Other' },
    { icon: 'X', description: 'Other' },
    [],
  ],
  ['reports no conflict for equal edits', { icon: 'X' }, { icon: 'X' }, { icon: 'X' }, []],
  ['reports a conflict for different edits of a field', { icon: 'X' }, { icon: 'Y' }, { icon: 'X' }, ['icon']],
  ['treats a list as one field', { list: ['a', 'b'] }, { list: ['a', 'c'] }, { list: ['a', 'b'] }, ['list']],
  ['treats an emptied field as an edit', { description: '' }, {}, { description: '' }, []],
  ['keeps fields unknown to the editor', { icon: 'X' }, { more: 1 }, { icon: 'X', more: 1 }, []],
])('%s', (_, mine, theirs, changes, conflicts) => {
  const { merged, conflicts: found } = mergeEdit(base, { ...base, ...mine }, { ...base, ...theirs });
  expect(merged).toEqual({ ...base, ...changes });
  expect(found).toEqual(conflicts);
});

test('removes fields that either side removed', () => {
  const { icon: _icon, ...withoutIcon } = base;
  expect(mergeEdit(base, withoutIcon, base).merged).toEqual(withoutIcon);
  expect(mergeEdit(base, base, withoutIcon).merged).toEqual(withoutIcon);
});
