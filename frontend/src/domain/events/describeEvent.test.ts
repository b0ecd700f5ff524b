import { expect, test } from 'vitest';
import type { Diff, Event } from '@/api/generated/types';
import { describeEvent, describeEventChanges } from './describeEvent';
import { getEventName, getEventSubject } from './eventType';

const event = (type: string, data: Event['data'], diffs: Event['diffs'] = null): Event => ({
  id: 1,
  type,
  data,
  diffs,
  createdBy: 'somebody',
  createdAt: '2026-01-05T10:00:00.000Z',
});

const tag = { type: 'simple', value: 'q4' };

test.each<[string, Event['data'], string, string | undefined, string]>([
  ['feature-created', { name: 'a.b' }, 'created the toggle', 'toggle', 'a.b'],
  ['feature-updated', { name: 'a.b' }, 'changed the toggle', 'toggle', 'a.b'],
  ['feature-stale-on', { name: 'a.b' }, 'marked the toggle as stale', 'toggle', 'a.b'],
  ['feature-environment-disabled', { name: 'a.b' }, 'switched the toggle off', 'toggle', 'a.b'],
  ['feature-strategy-add', { name: 'a.b' }, 'feature strategy add', 'toggle', 'a.b'],
  ['feature-import', { name: 'a.b' }, 'imported the toggle', 'toggle', 'a.b'],
  ['feature-tagged', { featureName: 'a.b', tag }, 'added the tag simple: q4', 'toggle', 'a.b'],
  ['feature-untagged', { featureName: 'a.b', tag }, 'removed the tag simple: q4', 'toggle', 'a.b'],
  ['strategy-deprecated', { name: 'own' }, 'deprecated the strategy', 'strategy', 'own'],
  ['tag-type-deleted', { name: 'team' }, 'deleted the tag type', 'tag type', 'team'],
  ['tag-created', { tag }, 'created the tag', 'tag', 'simple: q4'],
  ['tag-deleted', { ...tag }, 'deleted the tag', 'tag', 'simple: q4'],
  ['context-field-updated', { name: 'region' }, 'changed the context field', 'context field', 'region'],
  ['project-deleted', { id: 'web', name: 'Web' }, 'deleted the project', 'project', 'web'],
  ['addon-config-created', { id: 3, provider: 'slack' }, 'created the addon', 'addon', 'slack 3'],
  [
    'addon-delivery-failed',
    { id: 3, provider: 'slack', eventId: 9, eventType: 'feature-created' },
    'could not send feature-created (event 9) to the addon',
    'addon',
    'slack 3',
  ],
  ['application-created', { appName: 'shop' }, 'created the application', 'application', 'shop'],
  ['drop-features', { name: 'all-features' }, 'drop features', undefined, 'all-features'],
  ['feature-created', null, 'created the toggle', 'toggle', ''],
])('describes %s with %j as “%s”', (type, data, headline, kind, name) => {
  const one = event(type, data);
  expect(describeEvent(one, [one])).toBe(headline);
  expect(getEventSubject(one)?.kind).toBe(kind);
  expect(getEventName(one)).toBe(name);
});

const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '50' } }];
const rollout: Diff = { kind: 'E', path: ['strategies', 0, 'parameters', 'rollout'], lhs: '25', rhs: '50' };

test.each<[string, Event, string[]]>([
  ['a toggle', event('feature-updated', { name: 'a', strategies }, [rollout]), ['flexibleRollout: rollout 25 → 50 %']],
  [
    'another item, field by field',
    event('context-field-updated', { name: 'region', description: '', stickiness: false }, [
      { kind: 'E', path: ['description'], lhs: 'Where', rhs: '' },
      { kind: 'E', path: ['stickiness'], lhs: true, rhs: false },
    ]),
    ['Context field: description “Where” cleared; stickiness yes → no'],
  ],
  [
    'lists, as added, removed and changed items',
    event('strategy-updated', { name: 'byRegion', parameters: [{ name: 'share', required: true }, { name: 'zone' }] }, [
      { kind: 'E', path: ['parameters', 0, 'required'], lhs: false, rhs: true },
      { kind: 'E', path: ['parameters', 1, 'name'], lhs: 'regions', rhs: 'zone' },
    ]),
    ['Strategy: parameters: + zone, − regions, share changed'],
  ],
  [
    'a long list, as its first items and a count',
    event('context-field-updated', { name: 'region', legalValues: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, [
      { kind: 'N', path: ['legalValues'], rhs: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    ]),
    ['Context field: legalValues: + a, + b, + c, + d, + e and 2 more'],
  ],
  [
    'an absent list that became empty, as no change',
    event('context-field-updated', { name: 'region', legalValues: [] }, [
      { kind: 'N', path: ['legalValues'], rhs: [] },
    ]),
    [],
  ],
  [
    'a list in another order',
    event('context-field-updated', { name: 'region', legalValues: ['a', 'b'] }, [
      { kind: 'E', path: ['legalValues', 0], lhs: 'b', rhs: 'a' },
      { kind: 'E', path: ['legalValues', 1], lhs: 'a', rhs: 'b' },
    ]),
    ['Context field: legalValues: new order a, b'],
  ],
  [
    'another item, without fields that the server maintains',
    event('tag-type-updated', { name: 'team', icon: 'X', createdAt: '2026-01-05T10:00:00.000Z' }, [
      { kind: 'N', path: ['createdAt'], rhs: '2026-01-05T10:00:00.000Z' },
      { kind: 'E', path: ['icon'], lhs: 'T', rhs: 'X' },
    ]),
    ['Tag type: icon “T” → “X”'],
  ],
  [
    'a toggle, without the last seen time',
    event('feature-updated', { name: 'a', strategies, lastSeenAt: null, stale: true }, [
      { kind: 'N', path: ['lastSeenAt'], rhs: null },
      { kind: 'E', path: ['stale'], lhs: false, rhs: true },
    ]),
    ['Toggle: stale no → yes'],
  ],
  ['an update without changes', event('feature-updated', { name: 'a', strategies }, []), []],
  ['an archived toggle', event('feature-archived', { name: 'a' }, [{ kind: 'D', path: ['type'], lhs: 'release' }]), []],
  ['an event without diffs', event('feature-updated', { name: 'a', strategies }), []],
])('describes the changes of %s', (_, one, expected) => {
  expect(
    describeEventChanges(one, [one]).map(({ subject, changes }) =>
      `${subject}: ${changes.join('; ')}`.replaceAll('\u00a0', ' '),
    ),
  ).toEqual(expected);
});

test.each<[string, Event, string]>([
  [
    'one change of a toggle with its value',
    event('feature-updated', { name: 'a', strategies }, [rollout]),
    'changed flexibleRollout: rollout 25 → 50 %',
  ],
  [
    'an update without changes',
    event('feature-updated', { name: 'a', strategies }, []),
    'saved the toggle without changes',
  ],
  [
    'the changed properties of another item',
    event('context-field-updated', { name: 'region', description: 'Where' }, [
      { kind: 'N', path: ['createdAt'], rhs: '2026' },
      { kind: 'E', path: ['description'], lhs: '', rhs: 'Where' },
      { kind: 'A', path: ['legalValues'], index: 0, item: { kind: 'N', rhs: 'eu' } },
      { kind: 'A', path: ['legalValues'], index: 1, item: { kind: 'N', rhs: 'us' } },
    ]),
    'changed description, legalValues of the context field',
  ],
])('describes %s', (_, one, expected) => {
  expect(describeEvent(one, [one])).toBe(expected);
});
