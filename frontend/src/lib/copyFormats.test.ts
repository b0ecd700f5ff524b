import { expect, test } from 'vitest';
import { toCurl, toJson } from './copyFormats';

const base = 'http://console.invalid/flags/';

test.each([
  [
    { path: 'api/admin/features' },
    "curl 'http://console.invalid/flags/api/admin/features' \\\n  -H 'Accept: application/json'",
  ],
  [
    { path: 'api/admin/features/a', method: 'PUT', body: { name: "it's" } },
    "curl -X PUT 'http://console.invalid/flags/api/admin/features/a' \\\n  -H 'Accept: application/json' \\\n" +
      "  -H 'Content-Type: application/json' \\\n  --data-raw '{\"name\":\"it'\\''s\"}'",
  ],
])('formats %j as the command %j', (call, command) => {
  expect(toCurl(base, call)).toBe(command);
});

test('formats JSON with indentation', () => {
  expect(toJson({ name: 'shop.basket', tags: [1] })).toBe('{\n  "name": "shop.basket",\n  "tags": [\n    1\n  ]\n}');
});
