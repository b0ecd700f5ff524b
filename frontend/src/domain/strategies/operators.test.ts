import { expect, test } from 'vitest';
import { isOlderSdk } from '@/domain/evaluation/sdkVersion';
import { findFirstVersions } from './operators';

test.each<[operator: string, sdk: string, isOld: boolean]>([
  ['IN', 'unleash-client-node:1.0.0', false],
  ['STR_CONTAINS', 'unleash-client-node:3.11.3', true],
  ['STR_CONTAINS', 'unleash-client-node:3.12.0', false],
  ['DATE_AFTER', 'unleash-client-php:1.3.0', true],
  ['NUM_GT', 'unleash-client-java:5.1', false],
  ['NUM_GT', 'some-other-library:0.1.0', false],
  ['NUM_GT', '', false],
  ['REGEX', 'unleash-client-node:6.9.6', true],
  ['REGEX', 'unleash-client-node:6.10.1', false],
  ['SEMVER_GTE', 'unleash-client-node:6.10.1', true],
  ['SEMVER_LTE', 'unleash-client-php:2.10.1', true],
  ['IN_CIDR', 'unleash-client-node:6.11.0', false],
  ['GEO_WITHIN', 'unleash-client-node:1.0.0', false],
])('%s is not evaluated by %s: %s', (operator, sdk, isOld) => {
  expect(isOlderSdk(sdk, findFirstVersions(operator) ?? {})).toBe(isOld);
});
