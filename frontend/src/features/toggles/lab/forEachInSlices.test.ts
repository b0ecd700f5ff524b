import { expect, test } from 'vitest';
import { forEachInSlices } from './parsePopulation';

test('visits all items in order, and lets other tasks run in between', async () => {
  let otherTasks = 0;
  const timer = setInterval(() => {
    otherTasks += 1;
  });
  const visited: number[] = [];
  const items = function* () {
    // Ends only if other tasks run.
    for (let item = 0; otherTasks < 3; item += 1) yield item;
  };
  await forEachInSlices(items(), (item) => {
    visited.push(item);
    return undefined;
  });
  clearInterval(timer);
  expect(visited.every((item, index) => item === index)).toBe(true);
});

test('ends early', async () => {
  const visited: number[] = [];
  await forEachInSlices([1, 2, 3], (item) => {
    visited.push(item);
    return item === 2 ? 'stop' : undefined;
  });
  expect(visited).toEqual([1, 2]);
});
