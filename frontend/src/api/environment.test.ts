import { expect, test } from 'vitest';
import { offeredEnvironments, withEnvironment } from './environment';

test.each([
  ['', '?environment=production'],
  ['?', '?environment=production'],
  ['?filter=a%20b&tag=x', '?filter=a%20b&tag=x&environment=production'],
  ['?environment=development', '?environment=development'],
])('adds the environment to the query “%s”', (search, expected) => {
  expect(withEnvironment(search, 'production')).toBe(expected);
});

const environments = [{ name: 'production', type: 'production' }];

test.each([
  [428, { code: 'environment_required', environments }, true],
  [400, { code: 'unknown_environment', environments }, true],
  [400, { code: 'invalid_name' }, false],
  [428, 'Precondition Required', false],
  [200, { code: 'environment_required', environments }, false],
])('status %i with %j asks for an environment: %s', (status, body, expected) => {
  expect(offeredEnvironments(status, body)).toEqual(expected ? environments : undefined);
});
