// Toggles that SDKs get as off for a limited time, and the dialog that holds another one.
import { holds } from '@/api/endpoints';
import type { HoldList } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useOutage } from '@/api/outage';
import { usePermission } from '@/api/permissions';
import { useSettings } from '@/api/settings';
import { createPagePrompt } from '@/lib/prompt';
import { createUserStore, useStore } from '@/lib/store';

/** Asks for the reason and the duration of a hold of the toggle with this name. */
export const holdPrompt = createPagePrompt<string>();

/** Why a hold of a toggle that is off would change nothing: the server refuses it. */
export const ALREADY_OFF = 'SDKs already get it as off.';

/** Reads the holds in intervals; undefined until known, and if this deployment cannot hold toggles. */
export function useHolds(): HoldList | undefined {
  const canHold = useSettings()?.holds ?? false;
  return useRead(canHold ? holds : null, { polls: true }).data;
}

/** Returns true if users must know of a hold, or that holds cannot be stored. */
export function hasHoldMessages(list: HoldList | undefined): boolean {
  return list !== undefined && (list.holds.length > 0 || list.storageFault !== null);
}

/**
 * Names of the toggles that are held in the environment of the page, which the messages about holds keep up to date: rows of
 * lists need no reads of their own.
 */
export const heldToggles = createUserStore<readonly string[]>([]);

export function useIsHeld(toggle: string): boolean {
  return useStore(heldToggles).includes(toggle);
}

interface HoldAction {
  /** False if this deployment cannot hold toggles. */
  isOffered: boolean;
  /** True while the flag service does not respond, so that a hold is the only way to switch a toggle off. */
  isOnlyWay: boolean;
  /** Reason why the user cannot hold or release a toggle. The server verifies it with what it knew before an outage. */
  disabledReason: string | undefined;
}

export function useHoldAction(): HoldAction {
  const isOffered = useSettings()?.holds ?? false;
  const isUpstreamDown = useOutage()?.hop === 'upstream';
  // A console that was opened in the outage does not know the permissions.
  const disabledReason = usePermission('UPDATE_FEATURE', {
    ignoresOutage: isUpstreamDown,
    mayBeUnknown: isUpstreamDown,
  });
  return { isOffered, isOnlyWay: isOffered && isUpstreamDown, disabledReason };
}
