import { expect, test } from 'vitest';
import type { Event } from '@/api/generated/types';
import type { ChangeChip } from '@/domain/changes/changeChips';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { describeHeadline } from './eventHeadline';

const event = (type: string, data: Event['data'], more: object = {}): Event => ({
  id: 1,
  type,
  data,
  diffs: null,
  createdBy: 'ada',
  createdAt: '2026-01-05T10:00:00.000Z',
  ...more,
});

const SIGNS = { added: '+ ', removed: '− ' };
const formatChip = ({ kind, label, values }: ChangeChip) =>
  `${kind ? SIGNS[kind] : ''}${label}${values ? ` ${values.join(' → ')}` : ''}`;

function headline(one: Event): string {
  const { verb, kind, rest, place, state, changes } = describeHeadline(one, [one], {
    locale: 'en',
    segmentName: (id) => (id === 7 ? 'beta' : `${id}`),
  });
  const sentence = [verb, kind, state, rest, place].filter(Boolean).join(' ');
  return [sentence, ...changes.map(formatChip)].join(' | ').replaceAll('\u00a0', ' ');
}

const base = {
  name: 'a',
  description: 'Small',
  type: 'release',
  project: 'default',
  enabled: true,
  stale: false,
  strategies: [{ name: 'flexibleRollout', parameters: { rollout: '25' } }],
  variants: [],
};
const variant = (name: string, weight: number) => ({ name, weight, weightType: 'fix' });
const share = (rollout: string) => ({ name: 'flexibleRollout', parameters: { rollout } });

test.each<[object, string]>([
  [{ enabled: false }, 'switched the toggle off'],
  [{ enabled: false, description: 'Large' }, 'switched the toggle off | description'],
  [{ enabled: false, stale: true }, 'switched the toggle off | stale no → yes'],
  [{ stale: true }, 'marked the toggle as stale'],
  [{ project: 'web' }, 'moved the toggle to the project web'],
  [{ description: 'Large' }, 'changed the description of the toggle'],
  [{ type: 'experiment' }, 'changed the toggle | type release → experiment'],
  [{ strategies: [share('50')] }, 'changed the toggle | flexibleRollout 25 → 50 %'],
  [{ strategies: [] }, 'changed the strategies of the toggle'],
  [
    { strategies: [share('25'), { name: 'userWithId', parameters: { userIds: 'ada' } }] },
    'changed the toggle | + userWithId: 1 user: ada',
  ],
  [
    { strategies: [{ name: 'userWithId', parameters: { userIds: 'ada' } }], description: '' },
    'changed the toggle | + userWithId: 1 user: ada | − flexibleRollout: 25 % of users | description',
  ],
  [
    { strategies: [{ name: 'flexibleRollout', parameters: { rollout: '50', groupId: 'g' } }] },
    'changed the toggle | flexibleRollout',
  ],
  [{ variants: [variant('blue', 1000)] }, 'changed the toggle | + variant blue: 100 %'],
  [{ variants: [variant('blue', 500), variant('red', 500)] }, 'changed the variants of the toggle'],
  [{ strategies: [{ ...share('25'), segments: [7] }] }, 'changed the toggle | flexibleRollout segments: + beta'],
  [{}, 'saved the toggle without changes'],
])('describes an update of a toggle with %j as “%s”', (change, expected) => {
  const after = { ...base, ...change };
  expect(headline(event('feature-updated', after, { diffs: jsonDiff(base, after) }))).toBe(expected);
});

const tag = { type: 'simple', value: 'q4' };
const rollout = (percent: string) => ({ id: 's', name: 'flexibleRollout', parameters: { rollout: percent } });
const logged = (percent: string) => ({ ...rollout(percent), name: 'a', strategyName: 'flexibleRollout' });

test.each<[Event, string]>([
  [event('feature-created', { name: 'a' }), 'created the toggle'],
  [event('feature-updated', { name: 'a' }), 'changed the toggle'],
  [event('feature-archived', { name: 'a' }), 'archived the toggle'],
  [event('feature-stale-on', { name: 'a' }), 'marked the toggle as stale'],
  [event('feature-stale-off', { name: 'a' }), 'marked the toggle as active'],
  [event('feature-import', { name: 'a' }), 'imported the toggle'],
  [event('feature-tagged', { featureName: 'a', tag }), 'tagged the toggle | + simple: q4'],
  [event('feature-untagged', { featureName: 'a', tag }), 'removed a tag from the toggle | − simple: q4'],
  [
    event('feature-environment-disabled', { name: 'a' }, { environment: 'production' }),
    'switched the toggle off in production',
  ],
  [event('feature-environment-enabled', { name: 'a' }), 'switched the toggle on'],
  [event('feature-environment-variants-updated', { name: 'a' }), 'changed the variants of the toggle'],
  [event('feature-metadata-updated', { name: 'a' }), 'changed the metadata of the toggle'],
  [event('feature-dependency-added', { name: 'a', feature: 'b' }), 'added a dependency to the toggle | b'],
  [event('feature-dependencies-removed', { name: 'a' }), 'removed the dependencies of the toggle'],
  [
    event('feature-metadata-updated', { name: 'a' }, { diffs: [{ kind: 'N', path: ['description'], rhs: 'x' }] }),
    'changed the description of the toggle',
  ],
  [
    event('feature-strategy-update', logged('50'), { preData: rollout('25') }),
    'changed the toggle | flexibleRollout 25 → 50 %',
  ],
  [
    event('feature-strategy-add', { ...logged('50'), segments: [7, 8] }),
    'changed the toggle | + flexibleRollout: 50 % of users in segments beta and 8',
  ],
  [
    event(
      'feature-strategy-update',
      { ...logged('25'), segments: [] },
      { preData: { ...rollout('25'), segments: [7] } },
    ),
    'changed the toggle | flexibleRollout segments: − beta',
  ],
  [event('feature-strategy-add', logged('50')), 'changed the toggle | + flexibleRollout: 50 % of users'],
  [
    event('feature-strategy-remove', { name: 'a' }, { preData: rollout('25') }),
    'changed the toggle | − flexibleRollout: 25 % of users',
  ],
  [event('strategy-order-changed', { name: 'a' }), 'reordered the strategies of the toggle'],
  [event('strategy-deprecated', { name: 'own' }), 'deprecated the strategy'],
  [event('tag-type-deleted', { name: 'team' }), 'deleted the tag type'],
  [
    event('context-field-updated', { name: 'region' }, { diffs: [{ kind: 'N', path: ['description'], rhs: 'x' }] }),
    'changed the description of the context field',
  ],
  [
    event(
      'strategy-updated',
      {},
      { diffs: ['a', 'b', 'c', 'd'].map((field) => ({ kind: 'N', path: [field], rhs: 1 })) },
    ),
    'changed the strategy | 4 fields',
  ],
  [event('strategy-updated', {}, { diffs: [] }), 'saved the strategy without changes'],
  [
    event('addon-delivery-failed', { id: 3, eventId: 9, eventType: 'feature-created' }),
    'could not send the event “Toggle created” to the addon',
  ],
  [event('drop-features', { name: 'all' }), 'drop features'],
])('describes an event: %#', (one, expected) => {
  expect(headline(one)).toBe(expected);
});
