import { expect, test } from 'vitest';
import type { ApiToken, ApiTokenDraft } from '@/api/generated/types';
import { newToken } from '@/domain/apiTokens/apiTokens';
import { describeScope, isLastClientToken, tokenErrors, toTokenDraft } from './rules';

const frontend = (more: Partial<ApiTokenDraft> = {}): ApiTokenDraft => ({
  ...newToken,
  name: 'shop',
  kind: 'frontend',
  ...more,
});

test.each([
  ['https://shop.example', true],
  ['http://localhost:3000', true],
  ['*', true],
  ['https://shop.example/', false],
  ['https://shop.example/path', false],
  ['https://*.shop.example', false],
  ['https://user@shop.example', false],
  ['shop.example', false],
  ['https://a b', false],
])('validates the origin %s', (origin, isValid) => {
  const { origins = '' } = tokenErrors(frontend({ origins: ['https://ok.example', origin] }));
  expect(origins.startsWith(`${origin} is not an origin`)).toBe(!isValid);
});

test.each([
  ['team:checkout', true],
  ['team:a:b', true],
  ['team', false],
  ['team:', false],
  [':checkout', false],
])('validates the tag %s', (tag, isValid) => {
  expect(tokenErrors(frontend({ tags: [tag] })).tags === undefined).toBe(isValid);
});

test('a token needs a name', () => {
  expect(tokenErrors({ ...newToken, name: ' ' }).name).toBe('Enter a name.');
});

test('a client token is sent without a scope, and with a trimmed name', () => {
  const scope = { origins: ['*'], projects: ['default'], tags: ['team:checkout'] };
  expect(toTokenDraft({ ...newToken, ...scope, name: ' shop ' })).toEqual({ ...newToken, name: 'shop' });
  expect(toTokenDraft(frontend(scope))).toEqual(frontend(scope));
});

test.each([
  [newToken, ['All toggles']],
  [frontend(), ['Origins: none', 'All toggles']],
  [frontend({ origins: ['https://a.example', '*'] }), ['Origins: any', 'All toggles']],
  [
    frontend({ origins: ['https://a.example'], projects: ['shop', 'till'], tags: ['team:a'] }),
    ['Origins: https://a.example', 'Projects: shop, till', 'Tags: team:a'],
  ],
])('describes the scope of %j', (token, lines) => {
  expect(describeScope(token)).toEqual(lines);
});

test('shortens the lists of a scope', () => {
  expect(describeScope(frontend({ origins: ['*'], tags: ['team:a', 'team:b', 'team:c'] }), 2)).toEqual([
    'Origins: any',
    'Tags: team:a, team:b and 1 more',
  ]);
});

test('recognises the last client token', () => {
  const token = (name: string, draft: ApiTokenDraft = newToken): ApiToken => ({
    ...draft,
    name,
    createdAt: '2026-01-01T00:00:00Z',
    createdBy: null,
    lastUsedAt: null,
  });
  const [shop, till, web] = [token('shop'), token('till'), token('web', frontend())];
  expect(isLastClientToken(shop, [shop, web])).toBe(true);
  expect(isLastClientToken(shop, [shop, till, web])).toBe(false);
  expect(isLastClientToken(web, [web])).toBe(false);
});
