import { expect, test } from 'vitest';
import { outageHop } from './outage';

test.each([
  ['an unreachable flag service', 502, 'upstream_unreachable', true, 'upstream'],
  ['a slow flag service', 504, 'upstream_timeout', true, 'upstream'],
  ['an open circuit', 503, 'circuit_open', true, 'upstream'],
  ['a full connection pool: other requests succeed', 503, 'upstream_busy', true, undefined],
  ['a request body that was too slow', 408, 'body_too_slow', true, undefined],
  ['a rejection by Flagdeck itself', 403, 'read_only', true, undefined],
  ['a page of a proxy in front', 502, null, false, 'gateway'],
  ['an error of the flag service', 503, null, true, undefined],
] as const)('%s', (_, status, code, isJson, hop) => {
  expect(outageHop(status, code, isJson)).toBe(hop);
});
