// Separate from the rules of the form, so that the toggle list does not load those.
import { currentServer } from '@/api/environment';
import type { ToggleDraft } from '@/api/generated/types';
import { SaveCancelledError } from '@/shared/SaveCancelledError';

/** Throws if the toggle that is about to be sent has no activation strategy. Newer servers allow that. */
export function assertHasStrategy({ strategies }: Pick<ToggleDraft, 'strategies'>): void {
  if (strategies.length === 0 && !currentServer())
    throw new SaveCancelledError('You must add at least one activation strategy');
}
