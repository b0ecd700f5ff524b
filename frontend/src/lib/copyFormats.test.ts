import { expect, test } from 'vitest';
import { toJson } from './copyFormats';

test('formats JSON with indentation', () => {
  expect(toJson({ name: 'shop.basket', tags: [1] })).toBe('{\n  "name": "shop.basket",\n  "tags": [\n    1\n  ]\n}');
});
