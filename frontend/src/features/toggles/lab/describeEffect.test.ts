import { expect, test } from 'vitest';
import { describeCounts, describeEffect } from './describeEffect';

const none = { turnedOn: [], turnedOff: [], lessCertain: [], otherVariant: [] };

test('counts the contexts for which a toggle is on', () => {
  expect(describeCounts({ on: 1200, off: 3000, application: 700, random: 100 }, 'en')).toBe(
    'On for 1,200 of these 5,000.',
  );
});

test('counts the contexts that an edit turns on and off', () => {
  const change = { ...none, turnedOn: Array.from({ length: 1312 }, (_, index) => index), turnedOff: [4000] };
  expect(describeEffect(change, 5000, 'en')).toBe('This edit turns it on for 1,312 and off for 1 of these 5,000.');
  expect(describeEffect(none, 1, 'en')).toBe('This edit turns it on for 0 and off for 0 of this 1.');
});

test('adds uncertain results and other variants', () => {
  expect(describeEffect({ ...none, lessCertain: [1], otherVariant: [2, 3] }, 9, 'en')).toBe(
    'This edit turns it on for 0 and off for 0 of these 9. For 1, it makes the result uncertain. 2 get another variant.',
  );
});
