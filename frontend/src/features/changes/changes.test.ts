import { expect, test } from 'vitest';
import type { Event, PeriodCounts, Toggle } from '@/api/generated/types';
import { describeState, findAuthors, findRates, findResolution, toRequestTimes } from './changes';

const NOW = Date.parse('2026-11-24T14:30:20Z');

test.each([
  // The last minute is included.
  [{ from: '2026-11-24T14:00:00Z', until: '2026-11-24T14:15:00Z' }, '2026-11-24T14:00:00Z', '2026-11-24T14:15:59.999Z'],
  [{ from: '2026-11-24T14:00:00Z', until: '2026-11-24T14:15:10Z' }, '2026-11-24T14:00:00Z', '2026-11-24T14:15:10.000Z'],
  // Not later than the present, and not earlier than the first record.
  [{ from: '2026-11-24T14:00:00Z', until: '2026-11-24T14:30:00Z' }, '2026-11-24T14:00:00Z', undefined],
  [{ from: '2026-11-24T14:00:00Z', until: '' }, '2026-11-24T14:00:00Z', undefined],
  [{ from: '2026-11-20T14:00:00Z', until: '' }, '2026-11-23T10:00:00.5Z', undefined],
  [{ from: '2026-11-20T14:00:00Z', until: '2026-11-21T14:00:00Z' }, '2026-11-20T14:00:00Z', '2026-11-21T14:00:59.999Z'],
])('requests the changes of %j', (range, from, to) => {
  const times = toRequestTimes(range, { firstRecord: '2026-11-23T10:00:00.5Z', now: NOW });
  expect(times).toEqual({ from, ...(to && { to }) });
});

const event = (id: number, createdBy: string, createdAt: string, more: object = {}): Event =>
  ({ id, type: 'feature-updated', createdBy, createdAt, data: { name: 'shop.pay' }, diffs: null, ...more }) as Event;

test.each<[string, Event[], string[]]>([
  ['in the interval', [event(1, 'ada', '2026-11-24T14:05:00Z')], ['ada']],
  ['before it', [event(1, 'ada', '2026-11-24T14:03:00Z')], []],
  ['after it', [event(1, 'ada', '2026-11-24T14:06:00Z')], []],
  ['of a fast clock', [event(1, 'ada', '2026-11-24T14:05:11Z')], ['ada']],
  ['of another toggle', [event(1, 'ada', '2026-11-24T14:05:00Z', { data: { name: 'shop.basket' } })], []],
  ['of another environment', [event(1, 'ada', '2026-11-24T14:05:00Z', { environment: 'test' })], []],
  [
    'of two users',
    [
      event(2, 'eve', '2026-11-24T14:05:05Z'),
      event(1, 'ada', '2026-11-24T14:05:00Z'),
      event(3, 'ada', '2026-11-24T14:05:06Z'),
    ],
    ['ada', 'eve'],
  ],
])('names the author of an event %s', (_, events, expected) => {
  const interval = { after: '2026-11-24T14:04:50Z', by: '2026-11-24T14:05:10Z' };
  expect(findAuthors({ name: 'shop.pay', first: interval, last: interval }, events, 'production')).toEqual(expected);
});

const counts = (timestamp: string, yes: number, no: number): PeriodCounts => ({
  featureName: 'shop.pay',
  appName: 'shop',
  environment: 'default',
  timestamp,
  yes,
  no,
});

test.each([
  ['2026-11-24T14:29:00Z', 'minutes'],
  ['2026-11-24T13:37:00Z', 'minutes'],
  ['2026-11-24T13:30:00Z', 'hours'],
  ['2026-11-17T00:00:00Z', undefined],
])('evaluations around %s are stored by %s', (by, expected) => {
  expect(findResolution({ after: null, by }, NOW)).toBe(expected);
});

test('rates leave out the period that contains the change, and those that are not over', () => {
  const stored = [
    counts('2026-11-24T14:22:00Z', 9, 9),
    counts('2026-11-24T14:23:00Z', 100, 0),
    counts('2026-11-24T14:27:00Z', 50, 10),
    counts('2026-11-24T14:28:00Z', 7, 7),
    counts('2026-11-24T14:29:00Z', 0, 31),
    counts('2026-11-24T14:30:00Z', 5, 5),
  ];
  const interval = { after: null, by: '2026-11-24T14:28:30Z' };
  expect(findRates(stored, interval, { resolution: 'minutes', now: NOW })).toEqual({
    before: { yes: 30, no: 2 },
    after: { yes: 0, no: 31 },
  });
  expect(findRates([counts('2026-11-24T13:00:00Z', 90, 0)], interval, { resolution: 'hours', now: NOW })).toEqual({
    before: { yes: 1.5, no: 0 },
    after: undefined,
  });
});

const rollout = (value: string, more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: value, stickiness: 'default', groupId: 'shop.pay' },
  ...more,
});

test.each<[Partial<Toggle> | null, string]>([
  [null, 'Not sent to SDKs'],
  [{ enabled: true, strategies: [] }, 'On: no strategies'],
  [{ enabled: false, strategies: [rollout('25')] }, 'Off: 25 % of users'],
  [
    { enabled: true, strategies: [rollout('25'), rollout('50', { disabled: true }), { name: 'default' }] },
    'On: 25 % of users, or everyone',
  ],
])('describes the state %j', (toggle, expected) => {
  const text = describeState(toggle && ({ name: 'shop.pay', ...toggle } as Toggle));
  expect(text.replaceAll('\u00a0', ' ')).toBe(expected);
});
