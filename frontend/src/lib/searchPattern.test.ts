import { expect, test } from 'vitest';
import { getMatcher } from './searchPattern';

test('the matchers of the latest patterns are kept, and older ones are removed', () => {
  const first = getMatcher('a+b+');
  expect(getMatcher('a+b+')).toBe(first);
  for (let index = 0; index < 20; index += 1) void getMatcher(`shop.${index}`);
  expect(getMatcher('shop.19')).toBe(getMatcher('shop.19'));
  expect(getMatcher('a+b+')).not.toBe(first);
});

test('a matcher that is removed while its engine loads is not kept', async () => {
  const loading = getMatcher('(a+)+c');
  for (let index = 0; index < 20; index += 1) void getMatcher(`pay.${index}`);
  await loading;
  expect(getMatcher('(a+)+c')).toBeInstanceOf(Promise);
});
