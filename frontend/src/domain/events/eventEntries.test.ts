import { expect, test } from 'vitest';
import type { Event } from '@/api/generated/types';
import { groupActions } from './eventEntries';

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 5, 10, minutes)).toISOString();

const event = (id: number, type: string, more: object = {}): Event => ({
  id,
  type,
  createdBy: 'ada',
  createdAt: at(id),
  data: { name: 'a' },
  diffs: null,
  ...more,
});

const update = (id: number) => event(id, 'feature-updated');

const tag = { type: 'team', value: 'mobile' };
const tagging = event(9, 'feature-tagged', { createdAt: at(0), data: { featureName: 'a', tag } });
const creation = event(8, 'tag-created', { createdAt: at(0), data: tag });

test.each<[string, Event[], number[][]]>([
  ['a tag that is created by adding it to a toggle', [tagging, creation], [[9, 8]]],
  ['the events of one action in another order', [{ ...creation, id: 10 }, tagging], [[9, 10]]],
  ['a tag that another user created', [tagging, { ...creation, createdBy: 'grace' }], [[9], [8]]],
  ['a tag that was created earlier', [tagging, { ...creation, createdAt: '2026-01-05T09:59:57.000Z' }], [[9], [8]]],
  ['another tag', [tagging, { ...creation, data: { ...tag, value: 'web' } }], [[9], [8]]],
  ['a tag that is added to two toggles', [{ ...tagging, id: 10 }, tagging, creation], [[10], [9, 8]]],
  ['a second event after a joined one', [tagging, creation, { ...creation, id: 7 }], [[9, 8], [7]]],
  ['other events', [update(3), update(2)], [[3], [2]]],
])('%s: the rows', (_, events, expected) => {
  const rows = groupActions(events).map(({ event: one, tagCreation }) =>
    tagCreation ? [one.id, tagCreation.id] : [one.id],
  );
  expect(rows).toEqual(expected);
});
