import { expect, test } from 'vitest';
import { createToggle } from '@/testing/flagService';
import { toggleToMarkdown } from './toggleMarkdown';

const base = 'http://console.invalid/flags/';

const toggle = createToggle({
  name: 'shop.basket',
  description: 'A | *large*\nbasket',
  strategies: [{ name: 'flexibleRollout', parameters: { rollout: '25' } }, { name: 'my_own' }],
  variants: [{ name: 'blue', weight: 333, weightType: 'variable' }],
  createdAt: '2026-01-05T10:00:00.000Z',
});

test('formats a toggle as a heading and a list', () => {
  expect(toggleToMarkdown(toggle, `${base}x`).split('\n')).toEqual([
    '### [shop.basket](http://console.invalid/flags/x)',
    '',
    String.raw`A \| \*large\* basket`,
    '',
    '- Enabled: yes',
    '- Stale: no',
    '- Type: release',
    '- Project: default',
    '- Strategy: flexibleRollout (25 % of users)',
    String.raw`- Strategy: my\_own (users selected by my\_own)`,
    '- Variant: blue (33.3 %)',
  ]);
});

test('names segments in the sentence of a strategy', () => {
  const strategies = [{ name: 'default', segments: [7] }];
  expect(toggleToMarkdown({ ...toggle, strategies }, `${base}x`, (id) => `beta-${id}`)).toContain(
    '- Strategy: default (everyone in segment beta-7)',
  );
});
