import { expect, test } from 'vitest';
import type { StrategiesResponse } from './generated/types';
import { normaliseStrategies } from './normalise';

test.each([
  [false, false],
  [true, true],
  [undefined, true],
  [null, true],
])('a strategy with editable %s is editable: %s', (editable, expected) => {
  const response = { version: 1, strategies: [{ name: 'own', editable }] } as unknown as StrategiesResponse;
  normaliseStrategies(response);
  expect(response.strategies[0]?.editable).toBe(expected);
});
