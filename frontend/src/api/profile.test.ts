import { expect, test } from 'vitest';
import type { UserResponse } from '@/api/generated/types';
import { getInitials, isAuthor, toProfile } from './profile';

test.each<[string, UserResponse, ReturnType<typeof toProfile>]>([
  ['3.x with an address', { email: 'a@example.com' }, { name: 'a@example.com' }],
  ['3.x with a picture [S3-032]', { email: 'a@b.c', imageUrl: 'https://x' }, { name: 'a@b.c', imageUrl: 'https://x' }],
  ['3.x with permissions', { email: 'a@b.c', permissions: ['ADMIN'] }, { name: 'a@b.c', permissions: ['ADMIN'] }],
  ['3.x with no permission at all', { email: 'a@b.c', permissions: [] }, { name: 'a@b.c', permissions: [] }],
  [
    'permissions as objects',
    { username: 'x', permissions: [{ permission: 'P' }] },
    { name: 'x', username: 'x', permissions: ['P'] },
  ],
  [
    '4.x',
    { user: { username: 'unknown' }, permissions: [{ permission: 'ADMIN' }] },
    { name: 'unknown', username: 'unknown', permissions: ['ADMIN'] },
  ],
  ['4.x with permissions on the user', { user: { name: 'N', permissions: ['P'] } }, { name: 'N', permissions: ['P'] }],
  [
    'a name before an address',
    { name: 'Ada', email: 'a@b.c', username: 'ada' },
    { name: 'Ada', username: 'ada', email: 'a@b.c' },
  ],
  [
    'null for unknown',
    { email: null, username: 'ada', imageUrl: null, permissions: null },
    { name: 'ada', username: 'ada' },
  ],
  ['nothing', {}, { name: 'Unknown user' }],
])('reads a user from %s', (_, response, expected) => {
  expect(toProfile(response)).toEqual(expected);
});

test.each<[string, UserResponse, boolean]>([
  ['the address', { email: 'a@b.c', username: 'ada' }, true],
  ['another address', { email: 'ada@b.c', username: 'a@b.c' }, false],
  ['the user name where there is no address', { user: { username: 'a@b.c' }, permissions: [] }, true],
  ['nothing', {}, false],
])('recognises the author a@b.c by %s', (_, response, expected) => {
  expect(isAuthor(response, 'a@b.c')).toBe(expected);
});

test.each([
  ['Ada Olsen', 'AO'],
  ['ada.olsen@example.com', 'AO'],
  ['operator', 'O'],
  ['Ada Marie Olsen', 'AM'],
  ['😀 x', '😀X'],
  ['', '?'],
])('the initials of %j are %j', (name, expected) => {
  expect(getInitials(name)).toBe(expected);
});
