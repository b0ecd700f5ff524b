import { expect, test } from 'vitest';
import type { Counts } from '@/api/generated/types';
import { addPoll, type MinuteSamples } from './useCallHistory';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 22, 14, 0);

function poll(before: MinuteSamples | undefined, second: number, lastMinute: { [toggle: string]: Counts }) {
  return addPoll(before, START + second * 1000, { lastHour: {}, lastMinute });
}

const counts = (yes: number) => ({ shop: { yes, no: 0 } });

test('the last poll of a minute counts, and a minute without a poll at its end is missing', () => {
  let samples: MinuteSamples | undefined;
  for (const [second, yes] of [
    [20, 1],
    [52, 2],
    [57, 3],
    [62, 4],
    [109, 5],
    [171, 6],
  ] as const) {
    samples = poll(samples, second, counts(yes));
  }
  expect(samples?.since).toBe(START + 20_000);
  expect(samples?.samples.map(({ start, counts: { shop } }) => [start, shop?.yes])).toEqual([
    [START, 3],
    [START + 2 * MINUTE, 6],
  ]);
});

test('one hour is kept', () => {
  let samples: MinuteSamples | undefined;
  for (let minute = 0; minute < 70; minute += 1) samples = poll(samples, minute * 60 + 55, counts(minute));
  expect(samples?.samples).toHaveLength(60);
  expect(samples?.samples[0]?.start).toBe(START + 10 * MINUTE);
});

test('many toggles shorten the history, and its start is known', () => {
  const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`t${index}`, { yes: 1, no: 0 }]));
  let samples: MinuteSamples | undefined;
  for (let minute = 0; minute < 5; minute += 1) samples = poll(samples, minute * 60 + 55, many);
  expect(samples?.samples.map(({ start }) => start)).toEqual([START + 3 * MINUTE, START + 4 * MINUTE]);
  expect(samples?.since).toBe(START + 3 * MINUTE);
});
