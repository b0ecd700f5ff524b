// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Effect } from '@/api/generated/types';
import { EffectChip } from './EffectChip';

test.each<[Effect, string]>([
  ['widens', 'Widens'],
  ['mayWiden', 'May widen'],
  ['changes', 'Changes'],
  ['narrows', 'Narrows'],
  ['neither', 'No effect'],
])('the short form of the effect %s shows %s', (effect, word) => {
  const { container } = render(<EffectChip effect={effect} isShort />);
  expect(container.querySelector('[aria-hidden=true]:not(svg)')?.textContent).toBe(word);
});
