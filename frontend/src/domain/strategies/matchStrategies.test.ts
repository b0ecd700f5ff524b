import { expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { isStoredVersionOf } from './matchStrategies';

const sent: Strategy = { name: 'default', parameters: {} };

test.each<[object, boolean]>([
  [{ ...sent, id: 's' }, true],
  [{ ...sent, id: 's', title: null, disabled: false, segments: [], variants: [], constraints: [] }, true],
  [{ ...sent, id: 's', constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }] }, false],
  [{ ...sent, id: 's', disabled: true }, false],
  [{ name: 'default', parameters: { rollout: '5' } }, false],
])('a new strategy is stored as %j: %s', (stored, expected) => {
  expect(isStoredVersionOf(sent, stored as Strategy)).toBe(expected);
});
