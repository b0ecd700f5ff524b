import { expect, test } from 'vitest';
import type { Event } from '@/api/generated/types';
import { eventsToMarkdown } from './eventMarkdown';

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
