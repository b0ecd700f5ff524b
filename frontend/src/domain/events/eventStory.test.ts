import { expect, test } from 'vitest';
import type { Diff, Event } from '@/api/generated/types';
import { createEventStory, groupActions } from './eventStory';

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

const edit = (path: Diff['path'], lhs: unknown, rhs: unknown) => ({ kind: 'E', path, lhs, rhs }) as Diff;
const update = (id: number, ...diffs: Diff[]) => event(id, 'feature-updated', { diffs });
const text = (lhs: string, rhs: string) => edit(['description'], lhs, rhs);
const rollout = (lhs: string, rhs: string) => edit(['strategies', 0, 'parameters', 'rollout'], lhs, rhs);
const enabled = (rhs: boolean) => edit(['enabled'], !rhs, rhs);

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

/** Relations by the id of the event. */
function relations(events: readonly Event[]) {
  const story = createEventStory(events);
  return events.map((one) => ({
    id: one.id,
    ...(story.findReverter(one) && { revertedBy: story.findReverter(one)?.id }),
    ...(story.findReverted(one) && { reverts: story.findReverted(one)?.id }),
    ...(story.isSuperseded(one) && { isSuperseded: true }),
    ...(story.findSwitchedOff(one) !== undefined && { offSince: story.findSwitchedOff(one) }),
  }));
}

const other = (one: Event) => ({ ...one, data: { name: 'b' } });
const strategy = (id: number, of: string, lhs: string, rhs: string) =>
  event(id, 'feature-strategy-update', {
    data: { name: 'a', id: of },
    diffs: [edit(['parameters', 'rollout'], lhs, rhs)],
  });

test.each<[string, Event[], object[]]>([
  [
    'an undo',
    [update(3, text('Large', 'Small')), update(2, rollout('25', '50')), update(1, text('Small', 'Large'))],
    [{ id: 3, reverts: 1 }, { id: 2 }, { id: 1, revertedBy: 3, isSuperseded: true }],
  ],
  [
    'an undo on a server that stores missing lists as null or as empty lists',
    [
      update(2, rollout('50', '25'), edit(['variants'], null, [])),
      update(1, rollout('25', '50'), { kind: 'N', path: ['variants'], rhs: null }),
    ],
    [
      { id: 2, reverts: 1 },
      { id: 1, revertedBy: 2, isSuperseded: true },
    ],
  ],
  [
    'an undo of an undo',
    [update(3, text('a', 'b')), update(2, text('b', 'a')), update(1, text('a', 'b'))],
    [
      { id: 3, reverts: 2 },
      { id: 2, reverts: 1, revertedBy: 3, isSuperseded: true },
      { id: 1, revertedBy: 2, isSuperseded: true },
    ],
  ],
  [
    'a later value',
    [update(2, rollout('50', '75')), update(1, rollout('25', '50'))],
    [{ id: 2 }, { id: 1, isSuperseded: true }],
  ],
  [
    'a later value of a part of the change',
    [update(2, text('b', 'c')), update(1, text('a', 'b'), rollout('25', '50'))],
    [{ id: 2 }, { id: 1 }],
  ],
  [
    'the same change of another toggle',
    [other(update(2, text('b', 'a'))), update(1, text('a', 'b'))],
    [{ id: 2 }, { id: 1 }],
  ],
  [
    'a replaced list of strategies',
    [update(2, edit(['strategies'], [], ['x'])), update(1, rollout('25', '50'))],
    [{ id: 2 }, { id: 1, isSuperseded: true }],
  ],
  [
    'a toggle that was switched off and on',
    [update(3, enabled(true)), update(2, text('a', 'b')), update(1, enabled(false))],
    [{ id: 3, offSince: at(1) }, { id: 2 }, { id: 1, isSuperseded: true }],
  ],
  [
    'a toggle that was switched on only',
    [update(2, enabled(true)), event(1, 'feature-created')],
    [{ id: 2 }, { id: 1 }],
  ],
  [
    'an environment that was switched off and on, while another one was switched on',
    [
      event(3, 'feature-environment-enabled', { environment: 'production' }),
      event(2, 'feature-environment-enabled', { environment: 'development' }),
      event(1, 'feature-environment-disabled', { environment: 'production' }),
    ],
    [{ id: 3, offSince: at(1) }, { id: 2 }, { id: 1, isSuperseded: true }],
  ],
  [
    'a toggle that was stale',
    [event(2, 'feature-stale-off'), event(1, 'feature-stale-on')],
    [{ id: 2 }, { id: 1, isSuperseded: true }],
  ],
  [
    'a toggle that was archived',
    [
      update(4, { kind: 'N', path: ['strategies'], rhs: [] }, { kind: 'N', path: ['description'], rhs: 'b' }),
      event(3, 'feature-revived', { diffs: [] }),
      event(2, 'feature-archived', { diffs: [{ kind: 'D', path: ['description'], lhs: 'b' }] }),
      update(1, text('a', 'b')),
    ],
    [{ id: 4 }, { id: 3 }, { id: 2, isSuperseded: true }, { id: 1 }],
  ],
  [
    'a removed tag',
    [
      event(2, 'feature-untagged', { data: { name: 'a', tag } }),
      event(1, 'feature-tagged', { data: { name: 'a', tag } }),
    ],
    [
      { id: 2, reverts: 1 },
      { id: 1, revertedBy: 2, isSuperseded: true },
    ],
  ],
  [
    'an added and removed variant',
    [
      update(2, { kind: 'A', path: ['variants'], index: 0, item: { kind: 'D', lhs: 'blue' } }),
      update(1, { kind: 'A', path: ['variants'], index: 0, item: { kind: 'N', rhs: 'blue' } }),
    ],
    [
      { id: 2, reverts: 1 },
      { id: 1, revertedBy: 2, isSuperseded: true },
    ],
  ],
  [
    'changes of two strategies of a newer server',
    [strategy(3, 's', '50', '25'), strategy(2, 't', '50', '25'), strategy(1, 's', '25', '50')],
    [{ id: 3, reverts: 1 }, { id: 2 }, { id: 1, revertedBy: 3, isSuperseded: true }],
  ],
  ['an update without changes', [update(2), update(1)], [{ id: 2 }, { id: 1 }]],
  [
    'fields that the server maintains',
    [update(2, edit(['lastSeenAt'], 'b', 'a')), update(1, edit(['lastSeenAt'], 'a', 'b'))],
    [{ id: 2 }, { id: 1 }],
  ],
])('relates the events of %s', (_, events, expected) => {
  expect(relations(events)).toEqual(expected);
});

test('compares an event with a limited number of others', () => {
  const events = Array.from({ length: 60 }, (_, index) => update(60 - index, edit(['type'], String(index), 'x')));
  const first = update(0, text('a', 'b'));
  const inverse = update(61, text('b', 'a'));
  expect(createEventStory([inverse, ...events, first]).findReverter(first)).toBeUndefined();
  expect(createEventStory([inverse, ...events.slice(0, 40), first]).findReverter(first)).toBe(inverse);
});
