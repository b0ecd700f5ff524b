import { expect, test } from 'vitest';
import { formatDuration, formatExact, formatNumber, formatPercentage, formatRelative } from './format';
import { localeChoices, validLocale } from './locale';

const now = Date.UTC(2026, 5, 15, 12);
const ago = (seconds: number) => now - seconds * 1000;

test.each([
  [0, 'just now'],
  [59, 'just now'],
  [60, '1 minute ago'],
  [2 * 3600, '2 hours ago'],
  [3 * 86_400, '3 days ago'],
  [21 * 86_400, '3 weeks ago'],
  [61 * 86_400, '2 months ago'],
  [800 * 86_400, '2 years ago'],
  [-30, 'just now'],
  [-90, 'just now'],
])('formats a time %i seconds ago', (seconds, expected) => {
  expect(formatRelative(ago(seconds), now)).toBe(expected);
});

test('formats dates and numbers for the locale', () => {
  const noon = new Date(2026, 5, 15, 12, 0, 0).getTime();
  expect(formatExact(noon, 'en-GB')).toBe('15 Jun 2026, 12:00:00');
  expect(formatExact(noon, 'de')).toBe('15.06.2026, 12:00:00');
  expect(formatNumber(18_204, 'en-US')).toBe('18,204');
  expect(formatNumber(18_204, 'de')).toBe('18.204');
  expect(formatPercentage(33.3, 'en-US')).toBe('33.3 %');
  expect(formatPercentage(33.3, 'de')).toBe('33,3 %');
});

test("[S2-112] adds the browser's own locale to the picker only if it is not listed", () => {
  const listed = ['en-US', 'en-GB', 'nb-NO', 'sv-SE', 'da-DK', 'en-IN', 'de', 'cs', 'pt-BR', 'fr-FR'];
  expect(localeChoices('cs').map(({ code }) => code)).toEqual(listed);
  expect(localeChoices('fi-FI').map(({ code }) => code)).toEqual([...listed, 'fi-FI']);
  expect(localeChoices('fi-FI').at(-1)?.name).toMatch(/suomi/i);
});

test('replaces an invalid language tag, such as `C` of WebKit with `LANG=C`', () => {
  expect(['C', 'en-US@posix', '', undefined].map(validLocale)).toEqual(Array(4).fill('en-US'));
  expect(['fi-FI', 'DE', 'zh-hant-tw'].map(validLocale)).toEqual(['fi-FI', 'de', 'zh-Hant-TW']);
});

test.each([
  [0, '0 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [61_000, '1 min'],
  [86 * 60_000, '1 h 26 min'],
  [2 * 3_600_000, '2 h'],
  [49 * 3_600_000, '2 d 1 h'],
  [-5, '0 s'],
])('formats a duration of %i ms as %s', (ms, expected) => {
  expect(formatDuration(ms).replaceAll('\u00a0', ' ')).toBe(expected);
});
