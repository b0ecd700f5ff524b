import { expect, test } from 'vitest';
import { parseCompared, parseFragment, toFragment, withField } from './labContext';

test.each([
  ['', {}],
  ['#', {}],
  ['#userId=4711&region=eu', { userId: '4711', region: 'eu' }],
  ['userId=4711', { userId: '4711' }],
  ['#userId=&region=eu', { region: 'eu' }],
  ['#userId=1&userId=2', { userId: '1' }],
  ['#=1', {}],
  ['#plan%20name=a%26b%3Dc+d', { 'plan name': 'a&b=c d' }],
])('parses the fragment %s', (hash, expected) => {
  expect(parseFragment(hash)).toEqual(expected);
});

test.each([
  [{}, ''],
  [{ userId: '' }, ''],
  [{ userId: '4711', region: 'eu' }, '#userId=4711&region=eu'],
])('%j becomes the fragment "%s"', (context, expected) => {
  expect(toFragment(context)).toBe(expected);
});

test('a context with special characters can be read back from its fragment', () => {
  const context = { 'a=b&c': '#1 % +ä\n', __proto: 'x' };
  expect(parseFragment(toFragment(context))).toEqual(context);
});

test('a repeated write keeps the order of the fields', () => {
  const hash = '#userId=4711&region=eu';
  expect(toFragment(parseFragment(hash))).toBe(hash);
});

test('an empty value removes the field', () => {
  expect(withField({ userId: '1' }, 'region', 'eu')).toEqual({ userId: '1', region: 'eu' });
  expect(withField({ userId: '1', region: 'eu' }, 'region', '')).toEqual({ userId: '1' });
});

test.each<[object, object | undefined, string]>([
  [{ userId: '7' }, undefined, '#userId=7'],
  [{ userId: '7' }, { userId: '4711' }, '#userId=7&&userId=4711'],
  [{ userId: '7' }, {}, '#userId=7&&'],
  [{}, { userId: 'a&&b' }, '#&&userId=a%26%26b'],
  [{}, {}, '#&&'],
])('the contexts %j and %j can be read back from the fragment %s', (context, compared, fragment) => {
  expect(toFragment(context as Record<string, string>, compared as Record<string, string> | undefined)).toBe(fragment);
  expect([parseFragment(fragment), parseCompared(fragment)]).toEqual([context, compared]);
});
