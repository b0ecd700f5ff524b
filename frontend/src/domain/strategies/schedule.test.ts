import { expect, test } from 'vitest';
import type { Constraint } from '@/api/generated/types';
import { describeRule } from './ruleSentence';
import { describeSchedule, getSchedule, type Schedule, setSchedule, validateSchedule } from './schedule';

/** A local time as it is stored. */
const utc = (local: string) => new Date(local).toISOString();
const limit = (operator: string, local: string) => ({
  contextName: 'currentTime',
  operator,
  values: [],
  value: utc(local),
});
const inRegion: Constraint = { contextName: 'region', operator: 'IN', values: ['NO'] };
const start = limit('DATE_AFTER', '2026-12-01T09:00');
const end = limit('DATE_BEFORE', '2026-12-24T00:00');
const NOW = Date.parse(utc('2026-11-30T12:00'));

test.each<[string, Schedule, string]>([
  ['from Dec 1, 9:00 AM until Dec 24', { from: start.value, until: end.value }, '2026-11-30T12:00'],
  ['from Dec 1, 9:00 AM', { from: start.value }, '2026-12-24T12:00'],
  ['until Dec 24 (ended)', { until: end.value }, '2026-12-24T00:00'],
  ['from Dec 1, 2026, 9:00 AM', { from: start.value }, '2027-01-01T00:00'],
])('describes a schedule as "%s"', (expected, schedule, now) => {
  expect(describeSchedule(schedule, { locale: 'en-US', now: Date.parse(utc(now)) })).toBe(expected);
});

test('describes times in the format of the user', () => {
  expect(describeSchedule({ from: start.value }, { locale: 'de', now: NOW })).toBe('from 1. Dez., 09:00');
});

test.each<[string, Constraint[]]>([
  ['everyone from Dec 1, 9:00 AM until Dec 24', [end, start]],
  ['everyone where region is NO, until Dec 24', [end, inRegion]],
  // The first one of each end is the schedule.
  ['everyone where until Jan 1, 2027, 12:30 AM, until Dec 24', [end, limit('DATE_BEFORE', '2027-01-01T00:30')]],
  [`everyone where currentTime is not before ${end.value}`, [{ ...end, inverted: true }]],
  [`everyone where loginTime is before ${end.value}`, [{ ...end, contextName: 'loginTime' }]],
  ['everyone where currentTime is before tomorrow', [{ ...end, value: 'tomorrow' }]],
])('describes a rule as "%s"', (expected, constraints) => {
  expect(describeRule({ name: 'default', constraints }, { now: NOW })).toBe(expected);
});

test('writes the times in their constraints, and keeps the others', () => {
  const constraints = [start, inRegion];
  const until = end.value;
  expect(getSchedule(constraints)).toEqual({ from: start.value, until: undefined });
  expect(setSchedule([inRegion], { from: start.value })).toEqual([inRegion, start]);
  expect(setSchedule(constraints, { from: start.value, until })).toEqual([start, inRegion, end]);
  expect(setSchedule(constraints, { until })).toEqual([inRegion, end]);
  const moved = utc('2026-12-02T09:00');
  expect(setSchedule(constraints, { from: moved })).toEqual([{ ...start, value: moved }, inRegion]);
  expect(setSchedule(constraints, {})).toEqual([inRegion]);
});

test.each<[Schedule, boolean]>([
  [{ from: start.value, until: end.value }, true],
  [{ from: end.value, until: start.value }, false],
  [{ from: end.value, until: end.value }, false],
  [{ until: end.value }, true],
])('%j is valid: %s', (schedule, isValid) => {
  expect(validateSchedule(schedule) === undefined).toBe(isValid);
});
