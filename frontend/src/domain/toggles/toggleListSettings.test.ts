import { expect, test } from 'vitest';
import { defaultSettings, settingsFromParams, settingsToParams, type ToggleListSettings } from './toggleListSettings';

const left: ToggleListSettings = {
  filter: 'pay',
  sort: 'stale',
  reversed: true,
  showLastHour: true,
  currentProjectId: 'web',
};

test.each<[string, ToggleListSettings, ToggleListSettings]>([
  ['', defaultSettings, defaultSettings],
  ['', left, left],
  [
    'filter=x&sort=type&interval=minute&project=*',
    left,
    { filter: 'x', sort: 'type', reversed: false, showLastHour: false, currentProjectId: '*' },
  ],
  ['sort=toString', defaultSettings, defaultSettings],
  ['sort=created&order=asc', left, { ...defaultSettings, sort: 'created', reversed: true }],
  ['sort=created&order=desc', left, { ...defaultSettings, sort: 'created' }],
  ['order=sideways', left, defaultSettings],
  // A URL with parameters of the list defines its complete state.
  ['filter=', left, defaultSettings],
  ['tag=simple:winter', left, defaultSettings],
  ['state=on&project=mobile', left, { ...defaultSettings, currentProjectId: 'mobile' }],
  ['other=1', left, left],
])('[S3-037] reads settings from "?%s" over the stored %o', (address, stored, expected) => {
  expect(settingsFromParams(new URLSearchParams(address), stored)).toEqual(expected);
});

test('[S9-004] [S9-005] sorts by name and shows the metrics of the last minute by default', () => {
  expect(defaultSettings).toEqual({
    filter: '',
    sort: 'name',
    reversed: false,
    showLastHour: false,
    currentProjectId: '*',
  });
});

test('replaces an unknown stored sort with the default', () => {
  const stored = { ...left, sort: 'color' } as unknown as ToggleListSettings;
  expect(settingsFromParams(new URLSearchParams(), stored).sort).toBe('name');
});

test.each<[string, ToggleListSettings, string]>([
  ['filter=old&other=1', defaultSettings, 'other=1'],
  ['', left, 'filter=pay&sort=stale&order=asc&interval=hour&project=web'],
])('writes to "?%s" only settings that differ from the default', (address, settings, expected) => {
  expect(settingsToParams(new URLSearchParams(address), settings).toString()).toBe(expected);
});
