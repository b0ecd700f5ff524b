import { expect, test } from 'vitest';
import { isAtLeastMajor, isVersion3Before, versionFromConfig } from './serverVersion';

test('reads the version of the running edition', () => {
  expect(versionFromConfig({ version: '3.17.6' })).toBe('3.17.6');
  expect(
    versionFromConfig({ version: '1', versionInfo: { current: { oss: '4.2.2', enterprise: '' }, latest: {} } }),
  ).toBe('4.2.2');
  expect(versionFromConfig({ versionInfo: { current: { oss: '4.2.2', enterprise: '4.3.0' }, latest: {} } })).toBe(
    '4.3.0',
  );
  expect(versionFromConfig({})).toBeUndefined();
});

test.each([
  ['5.0.0', true],
  ['10.1', true],
  ['4.22.6', false],
  ['main', false],
  [undefined, false],
])('version %s is 5 or later: %s', (version, expected) => {
  expect(isAtLeastMajor(version, 5)).toBe(expected);
});

test.each([
  ['3.4.1', true],
  ['3.10.1', true],
  ['3.11.0', false],
  ['3.17.6', false],
  ['4.2.2', false],
  ['0.1.0', false],
  [undefined, false],
])('version %s is one of version 3 before 3.11: %s', (version, expected) => {
  expect(isVersion3Before(11, version)).toBe(expected);
});
