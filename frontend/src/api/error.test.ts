import { expect, test } from 'vitest';
import { describeError } from './error';

const unexpected = (status: number) => `Unexpected exception when talking to the Deck API (status ${status})`;

test.each<[string, number, unknown, string]>([
  ['401', 401, { type: 'unsecure', message: 'Identify yourself' }, 'Authentication required'],
  ['[S8-004] 403 in place', 403, { permission: 'ADMIN', message: 'No' }, 'You cannot perform this action'],
  ['[S8-006] 404', 404, '<html>', 'The requested resource could not be found but may be available in the future'],
  ['[S8-007] details', 400, { isJoi: true, details: [{ message: 'first' }, { message: 'second' }] }, 'first'],
  ['[S8-007] a list of errors', 422, { errors: [{ message: 'first' }, { message: 'second' }] }, 'first'],
  ['409 of a taken name', 409, { isJoi: true, name: 'NameExistsError', details: [{ message: 'taken' }] }, 'taken'],
  ['a body that is a list', 400, [{ msg: 'old shape' }], 'old shape'],
  ['a plain message', 409, { name: 'Error', message: 'plain' }, 'plain'],
  ['a plain error', 400, { error: 'plain' }, 'plain'],
  ['an error with a message', 400, { error: { message: 'inner' } }, 'inner'],
  ['an empty list of details', 400, { details: [], message: 'plain' }, 'plain'],
  ['499', 499, { message: 'gone' }, 'gone'],
  ['an empty body', 415, '', unexpected(415)],
  ['a page instead of JSON', 400, '<html>', unexpected(400)],
  ['details that are no list', 400, { details: 'none' }, unexpected(400)],
  ['[S8-008] [S8-009] the text of a 500 is not shown', 500, { message: 'secret' }, unexpected(500)],
  ['[S8-009] a response that is not JSON', 200, '<html>', unexpected(200)],
])('%s', (_, status, body, expected) => {
  expect(describeError({ status, body, hop: 'server' }, 'Deck').message).toBe(expected);
});

test.each([
  ['with a message', { message: 'You lack CREATE_FEATURE' }, 'You lack CREATE_FEATURE'],
  ['without', '', '403 Forbidden'],
])('[S8-005] the list of notices shows a 403 %s', (_, body, expected) => {
  expect(describeError({ status: 403, body, hop: 'server' }, 'Deck').noticeText).toBe(expected);
});

test('an error from Flagdeck itself keeps its message', () => {
  const body = { code: 'upstream_unreachable', message: 'The flag service at h:1 cannot be reached: refused' };
  expect(describeError({ status: 502, body, hop: 'binary' }, 'Deck').message).toBe(body.message);
  expect(describeError({ status: 500, body: '', hop: 'binary' }, 'Deck').message).toBe(unexpected(500));
});

test('a full connection pool is reported as an error of Flagdeck, not of the flag service', () => {
  const message = 'Flagdeck has no free connection to the flag service at h:1; try again in a moment';
  const failure = { status: 503, body: { code: 'upstream_busy', message }, hop: 'binary' } as const;
  expect(describeError(failure, 'Deck')).toEqual({ message, noticeText: message });
});

test('a network failure names the server that cannot be reached', () => {
  expect(describeError({ status: 0, body: undefined, hop: 'network' }, 'Deck').message).toMatch(
    /^Deck cannot be reached/,
  );
});
