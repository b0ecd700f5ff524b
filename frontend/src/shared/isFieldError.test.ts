import { expect, test } from 'vitest';
import { isFieldError } from './useForm';

test.each([
  ['a name that is taken', 409, '', true],
  ['a name of wrong form', 400, { details: [{ message: 'm', path: ['name'] }] }, true],
  ['another field', 400, { details: [{ message: 'm', path: ['strategies', 0, 'name'] }] }, false],
  ['a field that only the message names', 400, { details: [{ message: '"name" must be URL friendly.' }] }, true],
  ['another field that only the message names', 400, { details: [{ message: '"names" must be a list' }] }, false],
  ['a path as a text', 400, { details: [{ message: 'm', path: '/body/name' }] }, true],
  ['another path as a text', 400, { details: [{ message: 'm', path: '/body/strategies/0/name' }] }, false],
  ['a body that says nothing', 400, '', false],
  ['a fault of the server', 500, { details: [{ message: 'm', path: ['name'] }] }, false],
])('classifies an error about %s', (_, status, body, expected) => {
  expect(isFieldError('name', { status, body })).toBe(expected);
});
