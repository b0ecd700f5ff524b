// The request that replaces a stored toggle: of all saves, of undo, and of plans.
import { events, feature, featureEvents, updateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useWrite } from '@/api/useWrite';
import { strongTagOf } from '@/api/representations';
import { nextSequence } from '@/api/sequence';
import { patchToggle, storeWritten } from '@/api/toggles';
import { assertHasStrategy, withPositions } from './serverRules';

interface PutOptions {
  /** The caller shows the failure in place. */
  inline: boolean;
  /** The request applies files, so that there is no question about files that manage the toggle. */
  appliesFiles?: boolean;
  /** The caller does not need the stored toggle: the result may be the sent one. */
  skipsRead?: boolean;
  /** Called when the toggle is stored, before anything is read again. */
  onStored?: () => void;
}

/** Returns whether a save can name the entity tag of the toggle, so that it needs no read. */
export function isTagged(toggle: Toggle | undefined): toggle is Toggle {
  return toggle !== undefined && strongTagOf(toggle) !== undefined;
}

/**
 * Returns a function that replaces a toggle and updates the cached ones. It resolves with the stored toggle. If `before` has a
 * strong entity tag and is no longer stored, the request fails with status 412.
 */
export function usePutToggle() {
  const { send, fetchFresh } = useWrite();
  return async (
    body: Toggle,
    before: Toggle,
    { inline, appliesFiles, skipsRead, onStored }: PutOptions,
  ): Promise<Toggle> => {
    const { name } = body;
    assertHasStrategy(body);
    const startedAt = nextSequence();
    const response = await send(updateFeature(name), {
      body: withPositions(body),
      inline,
      appliesFiles,
      ifMatch: strongTagOf(before),
      patches: (stored) =>
        isTagged(stored) ? [() => storeWritten(stored, startedAt)] : [() => patchToggle(name, body)],
      refreshes: [featureEvents(name), events],
    });
    onStored?.();
    if (isTagged(response)) return response;
    if (skipsRead) return body;
    // Servers may normalise the toggle, so later edits start from the stored version.
    return fetchFresh(feature(name), { inline: true }).catch(() => body);
  };
}
