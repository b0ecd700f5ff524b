import { expect, test } from 'vitest';
import { ApiError } from '@/api/error';
import type { EvaluateResponse, Toggle } from '@/api/generated/types';
import { evaluateInParts } from './useEvaluatedToggles';

const toggles = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `t${index}` }) as Toggle);
const counts = { off: 0, on: 1, application: 0, random: 0 };
const respond = (part: readonly Toggle[]): EvaluateResponse => ({
  toggles: part.map(({ name }) => ({ name, saved: { counts, variants: [], contexts: [{ result: 'on' }] } })),
});
const refuse = (status: number) => new ApiError({ status, hop: 'binary', body: { message: 'Too much' } }, 'Flagdeck');

test('evaluates all toggles in parts of 250', async () => {
  const sizes: number[] = [];
  const results = await evaluateInParts(toggles(600), async (part) => {
    sizes.push(part.length);
    return respond(part);
  });
  expect(sizes).toEqual([250, 250, 100]);
  expect(results.size).toBe(600);
  expect(results.get('t599')).toEqual({ result: 'on' });
});

test('divides a request above a limit; a single toggle above it gets the error', async () => {
  const tooMuch = refuse(413);
  const results = await evaluateInParts(toggles(5), async (part) => {
    if (part.some(({ name }) => name === 't3')) throw tooMuch;
    return respond(part);
  });
  expect([...results.keys()].sort()).toEqual(['t0', 't1', 't2', 't3', 't4']);
  expect([...results].filter(([, result]) => result === tooMuch).map(([name]) => name)).toEqual(['t3']);
});

test('fails with another error', async () => {
  const failure = refuse(503);
  await expect(evaluateInParts(toggles(2), () => Promise.reject(failure))).rejects.toBe(failure);
});
