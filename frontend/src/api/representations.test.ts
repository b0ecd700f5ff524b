import { expect, test } from 'vitest';
import { storeRepresentation, strongTagOf } from './representations';

test('only strong entity tags can be compared by the server', () => {
  for (const [tag, strong] of [
    ['"1a2b"', '"1a2b"'],
    ['"1a2b-gzip"', '"1a2b-gzip"'],
    ['W/"1a2b"', undefined],
    [null, undefined],
  ] as const) {
    const body = {};
    storeRepresentation('api/admin/features/shop.basket', tag, body);
    expect(strongTagOf(body)).toBe(strong);
  }
  expect(strongTagOf({})).toBeUndefined();
});

test('a body keeps its tag after a later read', () => {
  const [before, after] = [{}, {}];
  storeRepresentation('api/admin/features/shop.basket', '"1"', before);
  storeRepresentation('api/admin/features/shop.basket', '"2"', after);
  expect([strongTagOf(before), strongTagOf(after)]).toEqual(['"1"', '"2"']);
});
