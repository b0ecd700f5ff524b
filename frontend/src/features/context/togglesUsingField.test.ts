import { expect, test } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import { createToggle } from '@/testing/flagService';
import { togglesUsingField } from './ContextFieldListPage';

const toggle = (name: string, more: Partial<Toggle>) => createToggle({ name, ...more });

const variant = { name: 'a', weight: 1000, weightType: 'variable' as const };

test.each<[string, Partial<Toggle>, boolean]>([
  ['nothing', {}, false],
  [
    'a constraint',
    {
      strategies: [
        { name: 'default', parameters: {}, constraints: [{ contextName: 'region', operator: 'IN', values: [] }] },
      ],
    },
    true,
  ],
  [
    'the stickiness of a rollout',
    { strategies: [{ name: 'flexibleRollout', parameters: { stickiness: 'region' } }] },
    true,
  ],
  [
    'another parameter with the same value',
    { strategies: [{ name: 'flexibleRollout', parameters: { groupId: 'region' } }] },
    false,
  ],
  ['the stickiness of variants', { variants: [{ ...variant, stickiness: 'region' }] }, true],
  ['an override', { variants: [{ ...variant, overrides: [{ contextName: 'region', values: [] }] }] }, true],
])('%s counts as a use: %o', (_, more, expected) => {
  expect(togglesUsingField('region', [toggle('shop.basket', more)])).toEqual(expected ? ['shop.basket'] : []);
});
