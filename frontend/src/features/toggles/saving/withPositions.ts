import type { ToggleDraft } from '@/api/generated/types';

/** Numbers the strategies of a toggle: 4.2 stores them in no particular order otherwise. Other servers ignore the numbers. */
export function withPositions<Draft extends Pick<ToggleDraft, 'strategies'>>(toggle: Draft): Draft {
  return { ...toggle, strategies: toggle.strategies.map((strategy, sortOrder) => ({ ...strategy, sortOrder })) };
}
