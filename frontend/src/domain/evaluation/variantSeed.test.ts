import { expect, test } from 'vitest';
import { isOlderSdk } from './sdkVersion';
import { CURRENT_VARIANT_SEED } from './variantSeed';

test.each([
  ['unleash-client-node:3.21.0', true],
  ['unleash-client-node:4.2.1', true],
  ['unleash-client-node:5.0.0', false],
  ['unleash-client-node:6.12.1', false],
  ['unleash-client-node:5', false],
  ['unleash-client-python:5.9.1', true],
  ['unleash-client-python:5.9.2', false],
  ['unleash-client-python:5.10.0', false],
  ['unleash-client-java:8.4.0', true],
  ['unleash-client-java:9.0.0', false],
  ['unleash-client-go:3.9.2', true],
  ['unleash-client-go:4.0.0', false],
  ['unleash-client-ruby:4.6.0', true],
  ['unleash-client-ruby:5.0.0', false],
  ['unleash-client-dotnet:v3.5.0', true],
  ['unleash-client-dotnet:v4.0.0', false],
  ['unleash-client-php:1.13.0', true],
  ['unleash-client-php:2.0.0', false],
  ['unleash-client-node:', false],
  ['unleash-client-node', false],
  ['constructor:1.0.0', false],
  ['own-client:1.0.0', false],
  ['', false],
])('the library %s has the old seed: %s', (sdk, expected) => {
  expect(isOlderSdk(sdk, CURRENT_VARIANT_SEED)).toBe(expected);
});
