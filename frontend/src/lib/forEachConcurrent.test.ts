import { expect, test } from 'vitest';
import { forEachConcurrent } from './forEachConcurrent';

const numbers = Array.from({ length: 20 }, (_, index) => index);
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

test('runs all actions, never more than the limit at once', async () => {
  const begun: number[] = [];
  let underWay = 0;
  let most = 0;
  const act = async (item: number) => {
    begun.push(item);
    underWay += 1;
    most = Math.max(most, underWay);
    await turn();
    underWay -= 1;
  };
  expect(await forEachConcurrent(numbers, act, { limit: 6, isStopped: () => false })).toEqual([]);
  expect(begun).toEqual(numbers);
  expect(most).toBe(6);
});

test('after a stop, finishes running actions and returns the items not started', async () => {
  const ended: number[] = [];
  const act = async (item: number) => {
    await turn();
    ended.push(item);
  };
  const left = await forEachConcurrent(numbers, act, { limit: 2, isStopped: () => ended.length >= 4 });
  expect([...ended, ...left].sort((a, b) => a - b)).toEqual(numbers);
  expect(left.length).toBeGreaterThan(0);
  expect(left).toEqual(numbers.slice(ended.length));
});
