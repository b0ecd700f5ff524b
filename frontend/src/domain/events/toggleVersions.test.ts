import { expect, test } from 'vitest';
import type { Event } from '@/api/generated/types';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { findVersionBefore, getToggleVersion } from './toggleVersions';

const version = (more: object = {}) => ({
  name: 'a',
  enabled: true,
  description: 'Small',
  strategies: [{ name: 'default' }],
  variants: [],
  ...more,
});

const event = (id: number, type: string, data: unknown, diffs: Event['diffs'] = null): Event => ({
  id,
  type,
  createdBy: 'somebody',
  createdAt: '2026-01-05T10:00:00.000Z',
  data: data as Event['data'],
  diffs,
});

test.each<[string, unknown, boolean]>([
  ['the whole toggle', version(), true],
  ['a created toggle', { name: 'a', strategies: [{ name: 'default' }] }, true],
  ['an archived toggle', { name: 'a' }, false],
  ['no strategies, which no toggle can have', { name: 'a', strategies: [] }, false],
  ['nothing', null, false],
])('an event with %s contains a version: %o', (_, data, expected) => {
  expect(getToggleVersion(event(1, 'feature-updated', data)) !== undefined).toBe(expected);
});

const created = event(1, 'feature-created', version());
const large = version({ description: 'Large' });
const allNew = (data: object) => jsonDiff({ name: 'a' }, data);

test.each<[string, Event, Event[], object | undefined]>([
  ['its diffs', event(2, 'feature-updated', large, jsonDiff(version(), large)), [], version()],
  ['the older event, without diffs', event(2, 'feature-updated', large), [created], version()],
  [
    'the older event, if the diffs of an archived toggle removed everything',
    event(2, 'feature-archived', { name: 'a' }, jsonDiff(version(), { name: 'a' })),
    [],
    version(),
  ],
  [
    'the version that was archived, switched off by reviving',
    event(4, 'feature-updated', large, allNew(large)),
    [event(3, 'feature-revived', { name: 'a' }), event(2, 'feature-archived', { name: 'a' }), created],
    version({ enabled: false }),
  ],
  [
    'older events of the same toggle only',
    event(4, 'feature-updated', large),
    [event(3, 'feature-updated', version({ name: 'b' })), event(2, 'strategy-updated', { name: 'a' }), created],
    version(),
  ],
  [
    'an older event that switched the toggle off',
    event(3, 'feature-updated', large),
    [event(2, 'feature-environment-disabled', { name: 'a' }), created],
    version({ enabled: false }),
  ],
  [
    'nothing, after an event whose effect is unknown',
    event(3, 'feature-updated', large),
    [event(2, 'feature-strategy-add', { name: 'a' }), created],
    undefined,
  ],
  ['nothing, without older events', event(2, 'feature-updated', large), [], undefined],
])('finds the version before an event from %s', (_, one, older, expected) => {
  expect(findVersionBefore(one, [one, ...older])).toEqual(expected);
});
