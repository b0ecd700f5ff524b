import { expect, test } from 'vitest';
import { hasOldVariantSeed } from './variantSeed';

test.each([
  ['unleash-client-node:3.21.0', true],
  ['unleash-client-node:4.2.1', true],
  ['unleash-client-node:5.0.0', false],
  ['unleash-client-node:6.12.1', false],
  ['unleash-client-node:5', false],
  ['unleash-client-node:', false],
  ['unleash-client-node', false],
  ['constructor:1.0.0', false],
  ['own-client:1.0.0', false],
  ['', false],
])('the library %s has the old seed: %s', (sdk, expected) => {
  expect(hasOldVariantSeed(sdk)).toBe(expected);
});
