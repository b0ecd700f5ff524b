import { expect, test } from 'vitest';
import { pathFromHash, safeHref, signInHref, signInPath } from './urls';

test.each([
  ['https://example.com/a', 'https://example.com/a'],
  ['http://example.com', 'http://example.com'],
  ['mailto:ops@example.com', 'mailto:ops@example.com'],
  ['/docs/start', '/docs/start'],
  ['docs', 'docs'],
  ['  /docs ', '/docs'],
  ['javascript:alert(1)', undefined],
  [' JaVaScRiPt:alert(1)', undefined],
  ['java\nscript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['vbscript:x', undefined],
  ['https://[', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('makes the link %j safe as %j', (address, expected) => {
  expect(safeHref(address)).toBe(expected);
});

test.each([
  ['/api/admin/login', '', 'api/admin/login'],
  ['/auth/simple/login', '', 'auth/simple/login'],
  ['/unleash/api/admin/login', '/unleash', 'api/admin/login'],
  ['/auth/simple/login', '/unleash', 'auth/simple/login'],
  ['/unleashed/auth/simple/login', '/unleash', 'unleashed/auth/simple/login'],
  // A path of the setting `proxy-prefix`.
  ['/sso/auth/login', '', 'sso/auth/login'],
  ['/unleash/sso/api/admin/login', '/unleash', 'sso/api/admin/login'],
  ['https://elsewhere.example/auth/simple/login', '', 'auth/simple/login'],
  ['//elsewhere.example/auth/simple/login', '', 'auth/simple/login'],
  ['/sign-in?next=/', '', 'sign-in?next=/'],
  ['/.//evil.example/login', '', 'evil.example/login'],
  ['/.///evil.example/login', '', 'evil.example/login'],
  ['/unleash//evil.example/login', '/unleash', 'evil.example/login'],
  ['', '', undefined],
  [undefined, '', undefined],
])('posts the sign-in for %j of a service at %j to %j', (path, mountPath, expected) => {
  expect(signInPath(path, mountPath)).toBe(expected);
});

test.each([
  ['/auth/google/login', '/', '', '/auth/google/login'],
  ['/sso/auth/start', '/', '', '/sso/auth/start'],
  ['/unleash/auth/google/login', '/flags/', '/unleash', '/flags/auth/google/login'],
  ['https://sso.example.com/start', '/flags/', '', 'https://sso.example.com/start'],
  ['//sso.example.com/start', '/flags/', '', '//sso.example.com/start'],
  ['/.//evil.example/login', '/', '', '/evil.example/login'],
  ['javascript:alert(1)', '/', '', undefined],
  [undefined, '/', '', undefined],
])('resolves the sign-in link %j below %j, of a service at %j, to %j', (path, base, mountPath, expected) => {
  expect(signInHref(path, base, mountPath)).toBe(expected);
});

test.each([
  ['#/features/strategies/x', '/features/strategies/x'],
  ['#/features/create#name=x', '/features/create#name=x'],
  ['#/', '/'],
  ['#//evil.example/x', undefined],
  ['#/\\evil.example/x', undefined],
  ['#name=x', undefined],
  ['', undefined],
])('translates the hash %j to %j', (hash, expected) => {
  expect(pathFromHash(hash)).toBe(expected);
});
