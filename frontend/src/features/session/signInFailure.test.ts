import { expect, test } from 'vitest';
import { describeSignInFailure } from './SignInDialog';

test.each([
  ['[S8-028]', 404, 'User not found', true],
  ['[S8-029]', 400, 'Wrong password', true],
  ['a 4.x server', 401, 'Wrong password', true],
  ['[S8-030]', 403, 'Could not sign in at the moment.', false],
  ['a newer server', 429, 'Too many sign-in attempts. Try again in a minute.', false],
  ['[S8-030]', 500, 'Could not sign in at the moment.', false],
  ['[S8-030] no response', 0, 'Could not sign in at the moment.', false],
])('%s: %i shows %j', (_, status, text, clearsPassword) => {
  expect(describeSignInFailure({ status, body: undefined })).toEqual({ text, clearsPassword });
});

test('the reasons of this program for which a right password is refused are shown', () => {
  const body = { code: 'account_disabled', message: 'An administrator has disabled your account.' };
  expect(describeSignInFailure({ status: 403, body })).toEqual({ text: body.message, clearsPassword: true });
});
