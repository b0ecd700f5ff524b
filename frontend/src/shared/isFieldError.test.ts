import { expect, test } from 'vitest';
import { isFieldError } from './isFieldError';

test.each([
  ['a name that is taken', 409, '', true],
  ['a name of wrong form', 400, { details: [{ message: 'm', path: ['name'] }] }, true],
  ['another field', 400, { details: [{ message: 'm', path: ['strategies', 0, 'name'] }] }, false],
  ['a body that says nothing', 400, '', false],
  ['a fault of the server', 500, { details: [{ message: 'm', path: ['name'] }] }, false],
])('classifies an error about %s', (_, status, body, expected) => {
  expect(isFieldError('name', { status, body })).toBe(expected);
});
