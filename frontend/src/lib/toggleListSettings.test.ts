import { expect, test } from 'vitest';
import { defaultSettings, fromParams, type ToggleListSettings, toParams } from './toggleListSettings';

const left: ToggleListSettings = { filter: 'pay', sort: 'stale', showLastHour: true, currentProjectId: 'web' };

test.each<[string, ToggleListSettings, ToggleListSettings]>([
  ['', defaultSettings, defaultSettings],
  ['', left, left],
  [
    'filter=x&sort=type&interval=minute&project=*',
    left,
    { filter: 'x', sort: 'type', showLastHour: false, currentProjectId: '*' },
  ],
  ['sort=toString', defaultSettings, defaultSettings],
  ['filter=', left, { ...left, filter: '' }],
])('[S3-037] [S9-004] [S9-005] address "?%s" over %o', (address, stored, expected) => {
  expect(fromParams(new URLSearchParams(address), stored)).toEqual(expected);
});

test('an unknown sort from an older version is the default', () => {
  const stored = { ...left, sort: 'color' } as unknown as ToggleListSettings;
  expect(fromParams(new URLSearchParams(), stored).sort).toBe('name');
});

test.each<[string, ToggleListSettings, string]>([
  ['filter=old&other=1', defaultSettings, 'other=1'],
  ['', left, 'filter=pay&sort=stale&interval=hour&project=web'],
])('from "?%s" the address holds what differs from the default', (address, settings, expected) => {
  expect(toParams(new URLSearchParams(address), settings).toString()).toBe(expected);
});
