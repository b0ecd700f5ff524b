import { expect, test } from 'vitest';
import { mergeEdit } from './mergeEdit';

type Thing = { [field: string]: unknown };

const base: Thing = { name: 'team', description: 'Owner', icon: 'T', list: ['a'] };

test.each<[string, Thing, Thing, Thing, string[]]>([
  ['nothing edited keeps what is stored', {}, { icon: 'X' }, { icon: 'X' }, []],
  ['an edit is put in', { icon: 'X' }, {}, { icon: 'X' }, []],
  [
    'edits of different fields go together',
    { icon: 'X' },
    { description: 'Other' },
    { icon: 'X', description: 'Other' },
    [],
  ],
  ['both the same is no contest', { icon: 'X' }, { icon: 'X' }, { icon: 'X' }, []],
  ['both differently is one', { icon: 'X' }, { icon: 'Y' }, { icon: 'X' }, ['icon']],
  ['lists are one field', { list: ['a', 'b'] }, { list: ['a', 'c'] }, { list: ['a', 'b'] }, ['list']],
  ['an emptied field is an edit', { description: '' }, {}, { description: '' }, []],
  ['what the editor does not know is kept', { icon: 'X' }, { more: 1 }, { icon: 'X', more: 1 }, []],
])('%s', (_what, mine, theirs, changes, contested) => {
  const { merged, contested: found } = mergeEdit(base, { ...base, ...mine }, { ...base, ...theirs });
  expect(merged).toEqual({ ...base, ...changes });
  expect(found).toEqual(contested);
});

test('a field that was taken out is gone, and one that somebody else took out and nobody edited stays so', () => {
  const { icon: _icon, ...withoutIcon } = base;
  expect(mergeEdit(base, withoutIcon, base).merged).toEqual(withoutIcon);
  expect(mergeEdit(base, base, withoutIcon).merged).toEqual(withoutIcon);
});
