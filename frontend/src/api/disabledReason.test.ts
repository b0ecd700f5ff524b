import { expect, test } from 'vitest';
import { type Circumstances, disabledReason, type KnownPermission } from './disabledReason';
import type { PermissionGrant } from './generated/types';

const reader: Circumstances = {
  isOutage: false,
  isReadOnly: false,
  isUnsupported: false,
  hasEnvironments: false,
  profile: { name: 'reader', permissions: [] },
};
const everything: Circumstances = {
  isOutage: true,
  isReadOnly: true,
  isUnsupported: true,
  hasEnvironments: false,
  profile: undefined,
};
const admin: Circumstances = { ...reader, profile: { name: 'admin' } };

test.each<[string, Circumstances, KnownPermission, RegExp]>([
  ['an outage has the highest precedence', everything, 'UPDATE_FEATURE', /flag service responds/],
  ['read-only precedes an unsupported server', { ...everything, isOutage: false }, 'UPDATE_FEATURE', /read-only/],
  [
    'an unsupported server precedes missing permissions',
    { ...everything, isOutage: false, isReadOnly: false },
    'UPDATE_FEATURE',
    /does not support managing toggles/,
  ],
  [
    'an unsupported server disables only changes of toggles',
    { ...everything, isOutage: false, isReadOnly: false },
    'UPDATE_PROJECT',
    /still loading/,
  ],
  [
    'a missing permission has the lowest precedence',
    reader,
    'UPDATE_FEATURE',
    /^You need the permission UPDATE_FEATURE for this\.$/,
  ],
  ['an administrator cannot write during an outage', { ...admin, isOutage: true }, 'UPDATE_FEATURE', /flag service/],
  ['an administrator cannot write to a read-only console', { ...admin, isReadOnly: true }, 'CREATE_TAG', /read-only/],
  [
    'toggles of a file are changed in the file',
    { ...admin, isReadOnly: true, definitionsFile: 'features.json' },
    'UPDATE_FEATURE',
    /read-only: the toggles come from features\.json\.$/,
  ],
])('[S6-002] %s', (_, circumstances, permission, expected) => {
  expect(disabledReason(permission, circumstances)).toMatch(expected);
});

test('[S6-003] enables changes for a user with the permission', () => {
  expect(disabledReason('UPDATE_FEATURE', admin)).toBeUndefined();
});

test.each([
  ['a signed-out user', undefined, false],
  ['no permission list', { name: 'x' }, true],
  ['an empty list', { name: 'x', permissions: [] }, false],
  ['ADMIN', { name: 'x', permissions: ['ADMIN'] }, true],
  ['the permission itself', { name: 'x', permissions: ['CREATE_FEATURE'] }, true],
  ['another permission', { name: 'x', permissions: ['UPDATE_FEATURE'] }, false],
])('[S6-002] CREATE_FEATURE with %s', (_, profile, expected) => {
  expect(disabledReason('CREATE_FEATURE', { ...reader, profile }) === undefined).toBe(expected);
});

const grant = (permission: string, groups: string[], isGranted = false) => ({ permission, groups, isGranted });

test.each<[string, PermissionGrant[], string]>([
  ['no group', [], ''],
  ['one group', [grant('CREATE_TAG', ['shop'])], ' The group shop has it.'],
  [
    'the groups of the permission before those of ADMIN',
    [grant('ADMIN', ['root']), grant('CREATE_TAG', ['shop'])],
    ' The group shop has it.',
  ],
  [
    'the groups of ADMIN',
    [grant('ADMIN', ['root']), grant('CREATE_FEATURE', ['shop'], true)],
    ' The group root has it.',
  ],
  ['three groups', [grant('CREATE_TAG', ['a', 'b', 'c'])], ' These groups have it: a, b, c.'],
  ['many groups', [grant('CREATE_TAG', ['a', 'b', 'c', 'd', 'e'])], ' These groups have it: a, b, c and 2 more.'],
])('a missing permission names %s', (_, grants, expected) => {
  const profile = { name: 'x', permissions: ['CREATE_FEATURE'], grants };
  const reason = `You need the permission CREATE_TAG for this.${expected}`;
  expect(disabledReason('CREATE_TAG', { ...reader, profile })).toBe(reason);
});

test('a missing permission for an environment names the groups of the whole permission', () => {
  const grants = [grant('ADMIN', ['root']), grant('UPDATE_FEATURE', ['shop'])];
  const circumstances = { ...reader, hasEnvironments: true, profile: { name: 'x', permissions: [], grants } };
  expect(disabledReason('DELETE_FEATURE_STRATEGY', circumstances)).toContain('The group shop has it.');
});

test('administrators of this program have ADMIN also if the upstream limits them', () => {
  const profile = { name: 'x', permissions: ['CREATE_FEATURE'], isAdministrator: true };
  expect(disabledReason('ADMIN', { ...reader, profile })).toBeUndefined();
  expect(disabledReason('UPDATE_FEATURE', { ...reader, profile })).toBeDefined();
});

test.each<[KnownPermission, boolean, string[], string | undefined]>([
  ['UPDATE_FEATURE_ENVIRONMENT', true, ['UPDATE_FEATURE'], 'UPDATE_FEATURE_ENVIRONMENT'],
  ['UPDATE_FEATURE_ENVIRONMENT', true, ['UPDATE_FEATURE_ENVIRONMENT'], undefined],
  ['DELETE_FEATURE_STRATEGY', true, ['UPDATE_FEATURE_STRATEGY'], 'DELETE_FEATURE_STRATEGY'],
  ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS', true, ['ADMIN'], undefined],
  ['UPDATE_FEATURE', true, ['UPDATE_FEATURE'], undefined],
  ['UPDATE_FEATURE_ENVIRONMENT', false, ['UPDATE_FEATURE'], undefined],
  ['CREATE_FEATURE_STRATEGY', false, [], 'UPDATE_FEATURE'],
  ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS', false, ['CREATE_FEATURE'], 'UPDATE_FEATURE'],
])(
  '%s on a server with environments: %s, granted %j, requires %s',
  (permission, hasEnvironments, permissions, missing) => {
    const reason = disabledReason(permission, { ...reader, hasEnvironments, profile: { name: 'x', permissions } });
    expect(reason).toBe(missing && `You need the permission ${missing} for this.`);
  },
);
