import { expect, test } from 'vitest';
import { type Circumstances, disabledReason } from './disabledReason';

const reader: Circumstances = {
  isOutage: false,
  isReadOnly: false,
  isUnsupported: false,
  profile: { name: 'reader', permissions: [] },
};
const everything: Circumstances = { isOutage: true, isReadOnly: true, isUnsupported: true, profile: undefined };
const admin: Circumstances = { ...reader, profile: { name: 'admin' } };

test.each<[string, Circumstances, string, RegExp]>([
  ['an outage comes first', everything, 'UPDATE_FEATURE', /flag service answers/],
  ['read-only comes second', { ...everything, isOutage: false }, 'UPDATE_FEATURE', /read-only/],
  [
    'an unsupported server comes third',
    { ...everything, isOutage: false, isReadOnly: false },
    'UPDATE_FEATURE',
    /does not manage toggles/,
  ],
  [
    'an unsupported server counts for toggles only',
    { ...everything, isOutage: false, isReadOnly: false },
    'UPDATE_PROJECT',
    /not loaded yet/,
  ],
  ['a missing permission comes last', reader, 'UPDATE_FEATURE', /^You need the permission UPDATE_FEATURE for this\.$/],
  ['an administrator cannot write during an outage', { ...admin, isOutage: true }, 'UPDATE_FEATURE', /flag service/],
  ['an administrator cannot write to a read-only console', { ...admin, isReadOnly: true }, 'CREATE_TAG', /read-only/],
])('[S6-002] %s', (_, circumstances, permission, expected) => {
  expect(disabledReason(permission, circumstances)).toMatch(expected);
});

test('[S6-003] nothing is disabled for a user with the permission', () => {
  expect(disabledReason('UPDATE_FEATURE', admin)).toBeUndefined();
});
