import { currentCapabilities } from '@/api/capabilities';
import type { ToggleDraft } from '@/api/generated/types';

/** Numbers the strategies of a toggle if the server needs it. Others would write the numbers into their log only. */
export function withPositions<Draft extends Pick<ToggleDraft, 'strategies'>>(toggle: Draft): Draft {
  if (!currentCapabilities().numbersStrategies) return toggle;
  return { ...toggle, strategies: toggle.strategies.map((strategy, sortOrder) => ({ ...strategy, sortOrder })) };
}
