import { expect, test } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import { changeProject, copyToggle, restoreVersion } from './toggleEdits';

const toggle = {
  name: 'shop.basket',
  description: 'Large',
  type: 'release',
  project: 'default',
  enabled: true,
  stale: false,
  strategies: [
    { id: 's1', name: 'flexibleRollout', parameters: { rollout: '25', groupId: 'shop.basket' }, sortOrder: 7 },
    { id: 's2', name: 'gradualRolloutUserId', parameters: { percentage: '5', groupId: '' }, constraints: [] },
    { id: 's3', name: 'default' },
  ],
  variants: [],
  createdAt: '2026-01-05T10:00:00.000Z',
  lastSeenAt: '2026-01-06T10:00:00.000Z',
  impressionData: true,
  dependencies: [{ feature: 'shop.open' }],
} as unknown as Toggle;

const ids = ({ strategies }: Pick<Toggle, 'strategies'>) => strategies.map(({ id }) => id);

test('moving to another project removes the ids of the strategies [S4-010] [S3-003]', () => {
  const moved = changeProject(toggle, 'mobile');
  expect(moved).toEqual({
    ...toggle,
    project: 'mobile',
    strategies: toggle.strategies.map(({ id: _, ...rest }) => rest),
  });
  expect(ids(moved)).toEqual([undefined, undefined, undefined]);
  expect(moved.strategies[0]).not.toHaveProperty('id');
});

test('moving to the same project changes nothing', () => {
  expect(changeProject(toggle, 'default')).toBe(toggle);
});

test('a copy keeps unknown fields and dependencies, but not the identity of the original', () => {
  const copy = copyToggle(toggle, 'new.name');
  expect(copy.dependencies).toEqual(toggle.dependencies);
  expect(copy).toMatchObject({ name: 'new.name', description: 'Large', enabled: true, impressionData: true });
  expect(copy.strategies[0]).toMatchObject({ sortOrder: 7, parameters: { rollout: '25' } });
  expect(copy.strategies.map(({ id }) => id)).toEqual([undefined, undefined, undefined]);
  expect(copy).not.toHaveProperty('createdAt');
  expect(copy).not.toHaveProperty('lastSeenAt');
});

test('restores a version, but keeps the name and fields that the server maintains', () => {
  const version = {
    ...toggle,
    name: 'other',
    description: '',
    enabled: false,
    variants: null,
    createdAt: '2020-01-01T00:00:00.000Z',
    lastSeenAt: null,
    strategies: [{ id: 's9', name: 'default' }],
    archived: false,
  };
  expect(restoreVersion(toggle, version)).toEqual({
    ...toggle,
    description: '',
    enabled: false,
    variants: null,
    strategies: [{ id: 's9', name: 'default' }],
  });
});

test('keeps fields that a version does not contain', () => {
  expect(restoreVersion(toggle, { strategies: [{ name: 'default' }] })).toEqual({
    ...toggle,
    strategies: [{ name: 'default' }],
  });
});

test('restoring a version of another project removes the ids of its strategies', () => {
  const back = restoreVersion(toggle, { ...toggle, project: 'mobile' });
  expect(back.project).toBe('mobile');
  expect(ids(back)).toEqual([undefined, undefined, undefined]);
});
