import { expect, test } from 'vitest';
import type { Counts, ToggleMetrics } from '@/api/generated/types';
import { createToggle } from '@/testing/flagService';
import { getToggleUse } from './toggleUse';

const NOW = Date.parse('2026-01-05T10:00:00Z');
const SEEN = '2026-01-05T09:30:00Z';
const LONG_AGO = '2026-01-02T10:00:00Z';

function metrics(lastHour?: Counts, lastMinute?: Counts): ToggleMetrics {
  return { lastHour: lastHour ? { basket: lastHour } : {}, lastMinute: lastMinute ? { basket: lastMinute } : {} };
}

test.each([
  ['calls in the last hour', metrics({ yes: 1, no: 0 }), null, 'used'],
  ['calls that are all no', metrics({ yes: 0, no: 3 }), null, 'used'],
  ['calls in the last minute only', metrics(undefined, { yes: 1, no: 0 }), null, 'used'],
  ['no calls', metrics({ yes: 0, no: 0 }), LONG_AGO, 'unused'],
  ['no entry', metrics(), null, 'unused'],
  ['no entry, but it was seen within the hour', metrics(), SEEN, 'used'],
  ['no counts, never seen', undefined, null, 'unknown'],
  ['no counts, seen long ago', undefined, LONG_AGO, 'unknown'],
  ['no counts, seen within the hour', undefined, SEEN, 'used'],
] as const)('a toggle with %s', (_, counts, lastSeenAt, state) => {
  expect(getToggleUse(createToggle({ name: 'basket', lastSeenAt }), counts, NOW).state).toBe(state);
});
