import { expect, test } from 'vitest';
import type { Event } from '@/api/generated/types';
import { eventsToMarkdown } from './eventMarkdown';

test('formats events with author, time, changes and link', () => {
  const event: Event = {
    id: 12,
    type: 'feature-updated',
    createdBy: 'ada@example.com',
    createdAt: '2026-01-05T10:00:00.000Z',
    data: { name: 'shop.basket', enabled: false, strategies: [{ name: 'default' }] },
    diffs: [{ kind: 'E', path: ['enabled'], lhs: true, rhs: false }],
  };
  const archived = { ...event, id: 11, type: 'feature-archived' };
  expect(eventsToMarkdown([event, archived], ({ id }) => `x?event=${id}`)).toBe(
    '**ada@example.com** switched the toggle off: shop.basket, 2026-01-05T10:00:00.000Z ([event 12](x?event=12))\n' +
      '- Toggle: enabled yes → no\n\n' +
      '**ada@example.com** archived the toggle: shop.basket, 2026-01-05T10:00:00.000Z ([event 11](x?event=11))',
  );
});
