import { expect, test } from 'vitest';
import type { Event, Toggle } from '@/api/generated/types';
import { eventsToMarkdown, toCurl, toggleToMarkdown, toJson, toMarkdownTable } from './copyFormats';
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

const toggle: Toggle = {
  name: 'shop.basket',
  description: 'A | *large*\nbasket',
  type: 'release',
  project: 'default',
  enabled: true,
  stale: false,
  strategies: [{ name: 'flexibleRollout', parameters: { rollout: '25' } }, { name: 'my_own' }],
  variants: [{ name: 'blue', weight: 333, weightType: 'variable' }],
  createdAt: '2026-01-05T10:00:00.000Z',
  lastSeenAt: null,
};

test('formats a toggle as the JSON of the server', () => {
  expect(JSON.parse(toJson(toggle))).toEqual(toggle);
});

test('formats the copied columns as a Markdown table and escapes its cells', () => {
  const columns: ListColumn<Toggle>[] = [
    { header: 'Name', copyHeader: 'Toggle', copy: ({ name }) => name, href: ({ name }) => `/${name}` },
    { header: 'Created', search: ({ createdAt }) => createdAt },
    { header: 'Description', copy: ({ description }) => description },
    { header: 'Last seen', copy: ({ lastSeenAt }) => lastSeenAt },
  ];
  expect(toMarkdownTable([toggle], columns, (path) => base + path.slice(1)).split('\n')).toEqual([
    '| Toggle | Description | Last seen |',
    '| --- | --- | --- |',
    String.raw`| [shop.basket](http://console.invalid/flags/shop.basket) | A \| \*large\* basket |  |`,
  ]);
});

test('formats a toggle as a heading and a list', () => {
  expect(toggleToMarkdown(toggle, `${base}x`).split('\n')).toEqual([
    '### [shop.basket](http://console.invalid/flags/x)',
    '',
    String.raw`A \| \*large\* basket`,
    '',
    '- Enabled: yes',
    '- Stale: no',
    '- Type: release',
    '- Project: default',
    '- Strategy: flexibleRollout (25 % of users)',
    String.raw`- Strategy: my\_own`,
    '- Variant: blue (33.3 %)',
  ]);
});

test('formats events with author, time, changes and link', () => {
  const event: Event = {
    id: 12,
    type: 'feature-updated',
    createdBy: 'ada@example.com',
    createdAt: '2026-01-05T10:00:00.000Z',
    data: { name: 'shop.basket', enabled: false, strategies: [] },
    diffs: [{ kind: 'E', path: ['enabled'], lhs: true, rhs: false }],
  };
  const words = '**Toggle changed**: shop.basket, by ada@example.com at 2026-01-05T10:00:00.000Z';
  expect(eventsToMarkdown([event, { ...event, id: 11, type: 'feature-archived' }], ({ id }) => `x?event=${id}`)).toBe(
    `${words} ([event 12](x?event=12))\n- Toggle: enabled yes → no\n\n` +
      '**Toggle archived**: shop.basket, by ada@example.com at 2026-01-05T10:00:00.000Z ([event 11](x?event=11))',
  );
});
