import { expect, test } from 'vitest';
import { imageSource } from './Header';

const BASE = 'https://flags.example/ops/';

test.each([
  ['a path', '/ops/-/avatars/AO-7.svg', 'https://flags.example/ops/-/avatars/AO-7.svg'],
  ['a relative path', '-/avatars/AO-7.svg', 'https://flags.example/ops/-/avatars/AO-7.svg'],
  ['an allowed origin', 'https://gravatar.com/avatar/1', 'https://gravatar.com/avatar/1'],
  ['an allowed origin without a scheme', '//gravatar.com/avatar/1', 'https://gravatar.com/avatar/1'],
  ['another scheme of an allowed host', 'http://gravatar.com/avatar/1', undefined],
  ['a subdomain of an allowed host', 'https://secure.gravatar.com/avatar/1', undefined],
  ['another origin', 'https://elsewhere.example/1.png', undefined],
  ['the same host with another port', 'https://flags.example:8443/1.png', undefined],
  ['a backslash', '\\\\elsewhere.example/1.png', undefined],
  ['a user name in front of the host', 'https://gravatar.com@elsewhere.example/', undefined],
  ['a user name in front of an allowed host', 'https://x@gravatar.com/', undefined],
  ['data', 'data:image/png;base64,AAAA', undefined],
  ['a script', 'javascript:alert(1)', undefined],
  ['no URL', 'https://', undefined],
  ['nothing', '', undefined],
  ['no value', undefined, undefined],
])('resolves the URL of an image: %s', (_, url, expected) => {
  expect(imageSource(url, BASE, ['https://gravatar.com'])).toBe(expected);
});
