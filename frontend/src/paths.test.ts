// The past in the URL.
import { expect, test } from 'vitest';
import { inPast, parsePastView, paths, toPast, toPresent } from './paths';

const AT = '2026-11-24T13:05:10Z';

test.each([
  ['/features', true],
  ['/features/', true],
  ['/features/strategies/a%2Fb', true],
  ['/features/variants/a', true],
  ['/evaluation', true],
  ['/features/view/a', true],
  ['/features/history/a', true],
  ['/features/copy/a', false],
  ['/features/create', false],
  ['/archive/strategies/a', false],
  ['/history', false],
])('whether %s can show the past: %s', (pathname, isPast) => {
  expect(parsePastView({ pathname, search: `?at=${AT}` })).toEqual(isPast ? { at: AT } : undefined);
  expect(parsePastView({ pathname, search: '?at=&scope=a' })).toBeUndefined();
});

const view = { at: AT };

test.each([
  ['/features?filter=shop&sort=type&state=on&tag=a', '/features?filter=shop&at=2026-11-24T13%3A05%3A10Z'],
  ['/features/view/a%2Fb', '/features/view/a%2Fb?at=2026-11-24T13%3A05%3A10Z'],
  ['/features/history/a?event=7', '/features/history/a?at=2026-11-24T13%3A05%3A10Z'],
  ['/features/variants/a#userId=7', '/features/variants/a?at=2026-11-24T13%3A05%3A10Z#userId=7'],
  ['/archive/strategies/a', '/features/strategies/a?at=2026-11-24T13%3A05%3A10Z'],
  ['/evaluation?result=on&project=p#userId=7', '/evaluation?result=on&at=2026-11-24T13%3A05%3A10Z#userId=7'],
  ['/features?at=2025-01-01T00:00:00Z&scope=a', '/features?at=2026-11-24T13%3A05%3A10Z'],
])('%s in the past', (url, expected) => {
  expect(toPast(new URL(url, 'https://console.invalid'), view)).toBe(expected);
});

test.each([
  ['/features?filter=shop&at=x&scope=y', '/features?filter=shop'],
  ['/evaluation?at=x#userId=7', '/evaluation#userId=7'],
  ['/features/history/a?event=7&at=x', '/features/history/a?event=7'],
])('%s at the present', (url, expected) => {
  expect(toPresent(new URL(url, 'https://console.invalid'))).toBe(expected);
});

test('links between pages of the past keep the time and the token', () => {
  expect(inPast(paths.toggle('a b'), { at: AT, scope: 's' })).toBe(
    '/features/strategies/a%20b?at=2026-11-24T13%3A05%3A10Z&scope=s',
  );
  expect(inPast(paths.toggles(), undefined)).toBe('/features');
  expect(paths.loggedEvent('a', 7, view)).toBe('/features/history/a?event=7&at=2026-11-24T13%3A05%3A10Z');
  expect(paths.loggedEvent('a', 7)).toBe('/features/history/a?event=7');
});
