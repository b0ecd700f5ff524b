import { expect, test } from 'vitest';
import type { Diff, Event } from '@/api/generated/types';
import { describeEvent } from './describeEvent';
import { describeEventType, getEventName, getEventSubject } from './eventType';

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
    'could not send the event “Toggle created” to the addon',
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

test.each([
  ['feature-created', 'Toggle created'],
  ['feature-stale-on', 'Toggle marked as stale'],
  ['feature-stale-off', 'Toggle marked as active'],
  ['tag-type-updated', 'Tag type updated'],
  ['api-token-created', 'API token created'],
  ['hold-started', 'Hold started'],
  ['something', 'Something'],
])('names the type %s in words: %s', (type, words) => {
  expect(describeEventType(type)).toBe(words);
});

const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '50' } }];
const rollout: Diff = { kind: 'E', path: ['strategies', 0, 'parameters', 'rollout'], lhs: '25', rhs: '50' };

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
