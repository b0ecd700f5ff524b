import { expect, test } from 'vitest';
import type { Event, Toggle } from '@/api/generated/types';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { findUndoEffect, findUndoReason, planUndo, toMergeInput, type UndoPlan, type UndoSubject } from './undoPlan';

const toggle = (more: object = {}) =>
  ({
    name: 'a',
    description: 'Small',
    enabled: true,
    strategies: [{ name: 'default' }],
    variants: [],
    ...more,
  }) as unknown as Toggle;
const large = toggle({ description: 'Large' });

const event = (type: string, data: object, diffs: Event['diffs'] = null): Event => ({
  id: 2,
  type,
  createdBy: 'somebody',
  createdAt: '2026-01-05T10:00:00.000Z',
  data: data as Event['data'],
  diffs,
});
const updated = event('feature-updated', large, jsonDiff(toggle(), large));
const live = (more: object = {}): UndoSubject => ({ state: 'live', toggle: toggle(more) });
const archived: UndoSubject = { state: 'archived', toggle: toggle() };
const tag = { type: 'simple', value: 'q4' };

test.each<[string, Event, object | undefined]>([
  ['an update by merging', updated, { kind: 'merge', before: toggle(), after: large }],
  ['creation by archiving', event('feature-created', toggle()), { kind: 'archive' }],
  ['reviving by archiving', event('feature-revived', { name: 'a' }), { kind: 'archive' }],
  [
    'archiving by reviving, switched on as before',
    event('feature-archived', { name: 'a' }, jsonDiff(toggle(), { name: 'a' })),
    { kind: 'revive', enabled: true },
  ],
  ['an added tag by removing it', event('feature-tagged', { featureName: 'a', tag }), { kind: 'untag', tag }],
  ['a removed tag by adding it', event('feature-untagged', { featureName: 'a', tag }), { kind: 'tag', tag }],
  [
    'a status without the whole toggle',
    event('feature-stale-on', { name: 'a' }),
    { kind: 'merge', before: { stale: false }, after: { stale: true } },
  ],
  ['nothing without the previous version', event('feature-updated', large), undefined],
  ['nothing of an unknown action', event('feature-strategy-add', { name: 'a' }), undefined],
])('undoes %s', (_, one, expected) => {
  expect(planUndo(one, [one])).toEqual(expected);
});

test.each<[string, Event, UndoSubject, RegExp | undefined]>([
  ['an update that still applies', updated, live({ description: 'Large', enabled: false }), undefined],
  ['an update that conflicts, which is asked', updated, live({ description: 'Huge' }), undefined],
  ['an update that was undone', updated, live({ enabled: false }), /no longer contains this change/],
  ['an update without changes', event('feature-updated', large, []), live(), /changed nothing/],
  ['an update of an archived toggle', updated, archived, /Revive it first/],
  ['an update of a deleted toggle', updated, { state: 'missing' }, /no longer in the list/],
  ['creation of an archived toggle', event('feature-created', toggle()), archived, /is archived/],
  ['archiving of an archived toggle', event('feature-archived', { name: 'a' }), archived, undefined],
  ['archiving of a revived toggle', event('feature-archived', { name: 'a' }), live(), /was revived/],
  ['an event without a previous version', event('feature-updated', large), live(), /does not contain the version/],
])('gives the reason why %s cannot be undone', (_, one, subject, expected) => {
  const reason = findUndoReason(planUndo(one, [one]), subject, true);
  if (expected) expect(reason).toMatch(expected);
  else expect(reason).toBeUndefined();
});

test('names the event to undo instead of a part of a change, as Unleash 4.2 logs it', () => {
  const part = event('feature-environment-enabled', { name: 'a' });
  expect(findUndoReason(planUndo(part, [part]), live(), true, 'default')).toMatch(/Undo the event “Toggle updated”/);
});

const stored = { id: 's', name: 'flexibleRollout', parameters: { rollout: '5' } };
const logged = { ...stored, name: 'a', strategyName: 'flexibleRollout', parameters: { rollout: '50' } };
const strategyEvent = (action: string, preData: object | null, data: object) =>
  ({ ...event(`feature-strategy-${action}`, data), preData }) as Event;
const withStrategies = (...strategies: object[]) => toggle({ strategies });

test.each<[string, Event, object[], object[]]>([
  ['an added strategy by removing it', strategyEvent('add', null, logged), [{ ...stored, ...logged, name: 'x' }], []],
  [
    'a changed strategy, with later changes of others',
    strategyEvent('update', stored, logged),
    [
      { ...stored, parameters: { rollout: '50' } },
      { id: 't', name: 'default' },
    ],
    [stored, { id: 't', name: 'default' }],
  ],
  [
    'a changed strategy without changing the form of empty properties',
    strategyEvent('update', { ...stored, title: null, segments: [] }, { ...logged, title: null, segments: [2] }),
    [{ ...stored, title: '', variants: [], segments: [2], parameters: { rollout: '50' } }],
    [{ ...stored, title: '', variants: [], segments: [] }],
  ],
  [
    'a removed strategy by adding it with a new id',
    strategyEvent('remove', stored, { name: 'a', strategyName: 'flexibleRollout' }),
    [{ id: 't', name: 'default' }],
    [
      { id: 't', name: 'default' },
      { name: 'flexibleRollout', parameters: { rollout: '5' } },
    ],
  ],
])('undoes %s, on a newer server', (_, one, now, expected) => {
  const plan = planUndo(one, [one]);
  if (plan?.kind !== 'strategy') throw new Error('not a change of a strategy');
  expect(toMergeInput(withStrategies(...now), plan).mine.strategies).toEqual(expected);
});

const rollout = (percent: string, more: object = {}) =>
  toggle({
    strategies: [{ name: 'gradualRolloutUserId', parameters: { percentage: percent, groupId: 'a' } }],
    ...more,
  });

test.each<[string, UndoPlan, Toggle, string | undefined]>([
  [
    'a larger percentage narrows',
    { kind: 'merge', before: rollout('25'), after: rollout('50') },
    rollout('50'),
    'narrows',
  ],
  [
    'a smaller percentage widens',
    { kind: 'merge', before: rollout('50'), after: rollout('25') },
    rollout('25'),
    'widens',
  ],
  [
    'a percentage of a toggle that is off now does neither',
    { kind: 'merge', before: rollout('50'), after: rollout('25') },
    rollout('25', { enabled: false }),
    'neither',
  ],
  ['a description does neither', { kind: 'merge', before: toggle(), after: large }, large, 'neither'],
  ['a conflict is not known', { kind: 'merge', before: rollout('50'), after: rollout('25') }, rollout('30'), undefined],
  ['creation narrows', { kind: 'archive' }, toggle(), 'narrows'],
  ['archiving widens', { kind: 'revive', enabled: true }, toggle({ enabled: false }), 'widens'],
  ['archiving of a toggle that was off does neither', { kind: 'revive', enabled: false }, toggle(), 'neither'],
  ['a new tag narrows', { kind: 'untag', tag }, toggle(), 'narrows'],
  ['a removed tag widens', { kind: 'tag', tag }, toggle(), 'widens'],
  ['a removed tag of a toggle that is off does neither', { kind: 'tag', tag }, toggle({ enabled: false }), 'neither'],
  [
    'of a toggle without known strategies is not known',
    { kind: 'archive' },
    { ...toggle(), strategiesKnown: false } as Toggle,
    undefined,
  ],
])('the undo of %s', (_, plan, current, expected) => {
  expect(findUndoEffect(plan, current)).toBe(expected);
});
