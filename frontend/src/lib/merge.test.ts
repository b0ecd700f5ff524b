import { expect, test } from 'vitest';
import { mergeItem, mergeKeys } from './merge';

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
  const { merged, conflicts: found } = mergeItem(
    base,
    { ...base, ...mine },
    { ...base, ...theirs },
    { labelOf: String },
    () => 'mine',
  );
  expect(merged).toEqual({ ...base, ...changes });
  expect(found.map(({ id }) => id)).toEqual(conflicts);
});

test('removes fields that either side removed', () => {
  const { icon: _icon, ...withoutIcon } = base;
  expect(mergeItem(base, withoutIcon, base, { labelOf: String }).merged).toEqual(withoutIcon);
  expect(mergeItem(base, base, withoutIcon, { labelOf: String }).merged).toEqual(withoutIcon);
});

test('merges an object key by key, and names the fields that only the other side changed', () => {
  const addon = (url: string, more: object = {}) => ({
    parameters: { url, type: 'json' },
    description: 'Old',
    ...more,
  });
  const rules = {
    labelOf: (field: string) => field.toUpperCase(),
    fields: { parameters: mergeKeys<{ url: string; type: string }>('parameters.', (key) => `Parameter ${key}`) },
  };
  const theirs = addon('theirs', { description: 'New', parameters: { url: 'theirs', type: 'xml' } });
  const result = mergeItem(addon('old'), addon('mine'), theirs, rules);
  expect(result.conflicts).toEqual([
    { id: 'parameters.url', subject: 'Parameter url', kind: 'field', base: 'old', mine: 'mine', theirs: 'theirs' },
  ]);
  expect(result.merged).toEqual(theirs);
  expect(result.taken).toEqual(['DESCRIPTION']);
  expect(mergeItem(addon('old'), addon('mine'), theirs, rules, () => 'mine').merged).toEqual({
    ...theirs,
    parameters: { url: 'mine', type: 'xml' },
  });
});

test('changes of fields that the editor does not show are merged, but not named', () => {
  const rules = { labelOf: (field: string) => (field === 'icon' ? 'Icon' : undefined) };
  const theirs = { ...base, icon: 'theirs', list: ['theirs'] };
  expect(mergeItem(base, { ...base, name: 'mine' }, theirs, rules)).toEqual({
    merged: { ...theirs, name: 'mine' },
    conflicts: [],
    taken: ['Icon'],
  });
  const [conflict] = mergeItem(base, { ...base, name: 'mine' }, { ...base, name: 'theirs' }, rules).conflicts;
  expect(conflict?.subject).toBe('name');
});

test('fields that are never edited keep their stored value', () => {
  const rules = { labelOf: String, isReadOnly: (field: string) => field === 'icon' };
  const result = mergeItem(base, { ...base, icon: 'mine' }, { ...base, icon: 'theirs' }, rules);
  expect(result).toEqual({ merged: { ...base, icon: 'theirs' }, conflicts: [], taken: [] });
});
