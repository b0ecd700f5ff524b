import { expect, test } from 'vitest';
import { ApiError } from '@/api/error';
import { throwVariantFailure } from './useVariants';

test.each([
  ['add', 'Could not add variant. '],
  ['remove', 'Could not remove variant. '],
] as const)('a failed attempt to %s a variant names the action', (action, start) => {
  const failure = new ApiError({ status: 500, hop: 'server', body: '' }, 'Flagdeck');
  expect(() => throwVariantFailure(action)(failure)).toThrow(start + failure.message);
});

test('the message of the server is shown unchanged', () => {
  const failure = new ApiError({ status: 400, hop: 'server', body: { message: 'no' } }, 'Flagdeck');
  expect(() => throwVariantFailure('remove')(failure)).toThrow(failure);
});
