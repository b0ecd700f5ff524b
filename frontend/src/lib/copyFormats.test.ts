import { expect, test } from 'vitest';
import { toCurl, toJson, toMarkdownTable } from './copyFormats';
import type { ListColumn } from './listColumn';

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

test('formats the copied columns as a Markdown table and escapes its cells', () => {
  const item = { name: 'shop.basket', created: '2026-01-05', description: 'A | *large*\nbasket', seen: null };
  const columns: ListColumn<typeof item>[] = [
    { header: 'Name', copyHeader: 'Toggle', copy: ({ name }) => name, href: ({ name }) => `/${name}` },
    { header: 'Created', search: ({ created }) => created },
    { header: 'Description', copy: ({ description }) => description },
    { header: 'Last seen', copy: ({ seen }) => seen },
  ];
  expect(toMarkdownTable([item], columns, (path) => base + path.slice(1)).split('\n')).toEqual([
    '| Toggle | Description | Last seen |',
    '| --- | --- | --- |',
    String.raw`| [shop.basket](http://console.invalid/flags/shop.basket) | A \| \*large\* basket |  |`,
  ]);
});
