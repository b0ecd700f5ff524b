import { expect, test } from 'vitest';
import { ApiError } from '@/api/error';
import type { Gap, Interval } from '@/api/generated/types';
import { formatExact } from '@/lib/format';
import { describeFailure, describeGap, describeInterval, findTimeAfter, justBefore } from './describeRecording';

const LOCALE = 'en-GB';
const [AT, LATER, NEXT_DAY] = ['2026-11-24T13:00:00Z', '2026-11-24T13:20:10Z', '2026-11-26T13:00:00Z'];
const SOON = '2026-11-24T13:00:40Z';
const exact = (time: string) => formatExact(Date.parse(time), LOCALE);
const format = (time: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LOCALE, options).format(new Date(time));
const minute = (time: string) => format(time, { dateStyle: 'medium', timeStyle: 'short' });
const clock = (time: string) => format(time, { timeStyle: 'short' });

test.each<[Gap, string]>([
  [
    { from: AT, to: LATER, reason: 'notRunning' },
    `No records from ${minute(AT)} to ${clock(LATER)}: Flagdeck did not run.`,
  ],
  // In minutes, both ends of a short gap would be the same.
  [
    { from: AT, to: SOON, reason: 'notRunning' },
    `No records from ${exact(AT)} to ${format(SOON, { timeStyle: 'medium' })}: Flagdeck did not run.`,
  ],
  [
    { from: AT, to: NEXT_DAY, reason: 'notWritten' },
    `No records from ${minute(AT)} to ${minute(NEXT_DAY)}: the recorder could not write.`,
  ],
  [{ from: AT, to: null, reason: 'notConfirmed' }, `No records since ${exact(AT)}: there is no later record.`],
])('describes the gap %j', (gap, expected) => {
  expect(describeGap(gap, LOCALE)).toBe(expected);
});

test.each<[Interval, string]>([
  [{ after: AT, by: LATER }, `made after ${minute(AT)}; SDKs here got it from ${clock(LATER)} on`],
  [{ after: AT, by: NEXT_DAY }, `made after ${minute(AT)}; SDKs here got it from ${minute(NEXT_DAY)} on`],
  [{ after: null, by: AT }, `made at an unknown time; SDKs here got it from ${exact(AT)} on`],
])('describes the interval %j', (interval, expected) => {
  expect(describeInterval(interval, LOCALE)).toBe(expected);
});

const failure = (status: number, body: object) => new ApiError({ status, hop: 'binary', body }, 'Flagdeck');

test.each([
  [404, 'before_first_record', 'The records begin later', false],
  [404, 'records_removed', 'The records of this time were removed', false],
  [404, 'no_recorder', 'Earlier states are not recorded', false],
  [400, 'scope_needed', 'Select a token', false],
  [403, 'forbidden', 'You cannot read the records', false],
  [503, 'recorder_busy', 'The records could not be read', true],
])('describes the failure %i %s', (status, code, title, canRetry) => {
  expect(describeFailure(failure(status, { code, message: 'Why' }), LOCALE)).toMatchObject({ title, canRetry });
});

test('the message of a failure has the times of this browser', () => {
  const body = { code: 'before_first_record', message: `The records begin at ${AT}; ask for a later time` };
  expect(describeFailure(failure(404, body), LOCALE).message).toBe(
    `The records begin at ${exact(AT)}; ask for a later time.`,
  );
});

test.each([
  ['embedded', AT, LATER, '2026-11-24T13:00:01.000Z'],
  ['upstream', AT, LATER, '2026-11-24T13:00:30.000Z'],
  // SDKs may not have got it yet.
  ['upstream', AT, '2026-11-24T13:00:20Z', undefined],
  ['embedded', '2026-11-24T12:59:59Z', LATER, undefined],
  ['embedded', 'never', LATER, undefined],
] as const)('finds the time after an event of the %s service at %s, asked at %s', (mode, createdAt, now, expected) => {
  const status = { firstRecord: AT };
  expect(findTimeAfter(createdAt, status, { mode, now: Date.parse(now) })).toBe(expected);
  expect(findTimeAfter(createdAt, { firstRecord: null }, { mode, now: Date.parse(now) })).toBeUndefined();
});

test('the state before a change is that of the millisecond before SDKs got it', () => {
  expect(justBefore({ after: AT, by: '2026-11-24T13:00:00.120Z' })).toBe('2026-11-24T13:00:00.119Z');
});
