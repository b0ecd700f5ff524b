// Rules of the server for saved toggles, apart from those of the form, so that the toggle list does not load the latter.
import { currentCapabilities } from '@/api/capabilities';
import type { ToggleDraft } from '@/api/generated/types';
import { SaveCancelledError } from '@/shared/SaveCancelledError';

/** Numbers the strategies of a toggle if the server needs it. Others would write the numbers into their log only. */
export function withPositions<Draft extends Pick<ToggleDraft, 'strategies'>>(toggle: Draft): Draft {
  if (!currentCapabilities().numbersStrategies) return toggle;
  return { ...toggle, strategies: toggle.strategies.map((strategy, sortOrder) => ({ ...strategy, sortOrder })) };
}

/** Throws if the toggle that is about to be sent has no activation strategy, and the server requires one. */
export function assertHasStrategy({ strategies }: Pick<ToggleDraft, 'strategies'>): void {
  if (strategies.length === 0 && currentCapabilities().needsStrategy)
    throw new SaveCancelledError('You must add at least one activation strategy');
}
