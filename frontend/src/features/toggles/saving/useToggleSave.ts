// Saves a toggle: merges the edit into the stored one (`replaceMerged`), updates the cached lists, and offers to undo the save.
import { type ReactNode, useState } from 'react';
import { archivedFeatures, feature, featureEvents, features } from '@/api/endpoints';
import { inEnvironment } from '@/api/environment';
import { ApiError, isNotFound } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { patchCache, refreshReads } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { offerUndo, pushFailure, pushInfo } from '@/api/notices';
import { DeclinedError } from '@/api/questions';
import { currentOwnToggle, patchToggle } from '@/api/toggles';
import { isTagged, usePutToggle } from '@/domain/toggles/usePutToggle';
import { jsonEqual } from '@/lib/json';
import { onUserReset, userSignal } from '@/lib/store';
import { type SavePurpose, useConflictDialog } from '@/shared/useConflictDialog';
import { lazyPage } from '@/ui/lazy';
import { type ResolveConflicts, replaceMerged, type Saved } from '@/shared/replaceMerged';
import { SaveCancelledError } from '@/shared/SaveCancelledError';
import { noteOwnWrite } from './changeAuthor';
import { mergeToggle } from './mergeToggle';

/** The sides of a conflict, in the dialog, which handles a failure to load the code. */
export const ToggleConflict = lazyPage(() => import('./ToggleConflict'), 'ToggleConflict');

/** Duration of the success message. */
const UPDATED_MS = 1000;

type Edit = (toggle: Toggle) => Toggle;

interface ToggleSaveOptions {
  /** Throw errors, for a form or dialog that shows them. */
  inline?: boolean;
  /** Called if the user has to decide conflicts before the toggle can be stored. */
  onConflict?: () => void;
  /** Default: `edit`. Of an `undo`, `base` is the version after the change, and the edit returns the version before it. */
  purpose?: SavePurpose;
  /** What was stored, such as `shop.pay moved to Mobile apps`. Default: `shop.pay saved`. */
  done?: string;
}

interface ToggleSave {
  /**
   * Saves the result of `edit` on `base`, the toggle when editing began. Resolves with true if it was stored, or false
   * if it failed or was cancelled; the user has been notified then.
   */
  save(base: Toggle, edit: Edit, options?: ToggleSaveOptions): Promise<boolean>;
  /** Like `save`, but resolves with the stored toggle. */
  store(base: Toggle, edit: Edit, options?: ToggleSaveOptions): Promise<Toggle | undefined>;
  saving: boolean;
  /** The conflict dialog. Render it within the dialog that saves, if there is one. */
  conflict: ReactNode;
}

/** Returns whether the save changed a part of the toggle that each environment has. */
function changesEnvironment({ before, sent }: Saved<Toggle>): boolean {
  return !jsonEqual([before.strategies, before.variants], [sent.strategies, sent.variants]);
}

function changesStrategies(before: Toggle, after: Toggle): boolean {
  return !jsonEqual(before.strategies, after.strategies);
}

/** The last unfinished save of each toggle. */
const lastSaves = new Map<string, Promise<unknown>>();
onUserReset(() => lastSaves.clear());

/** Runs the saves of a toggle in sequence, so that each starts from the result of the previous one. */
function runInSequence<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  const turn = (lastSaves.get(name) ?? Promise.resolve()).then(act);
  const end = () => {
    if (lastSaves.get(name) === last) lastSaves.delete(name);
  };
  const last = turn.then(end, end);
  lastSaves.set(name, last);
  return turn;
}

/** Shows what a failed save reveals: that the toggle is gone, or the part that was stored. The unsaved edits stay. */
function showStored(failure: ApiError): void {
  if (isNotFound(failure)) refreshReads([features, archivedFeatures]);
  const { code, toggle } = Object(failure.body) as { code?: unknown; toggle?: Toggle };
  if (code === 'half_saved' && toggle) patchCache([() => patchToggle(toggle.name, toggle)]);
}

export function useToggleSave(): ToggleSave {
  const { fetchFresh } = useWrite();
  const putToggle = usePutToggle();
  const [running, setRunning] = useState(0);
  const { ask, conflict } = useConflictDialog({ noun: 'toggle', Changes: ToggleConflict });

  function put(body: Toggle, before: Toggle, inline: boolean): Promise<Toggle> {
    const onStored = () => {
      if (changesStrategies(before, body))
        noteOwnWrite(body.name, { before: before.strategies, after: body.strategies });
    };
    return putToggle(body, before, { inline, onStored });
  }

  async function replace(
    base: Toggle,
    mine: Toggle,
    { inline = false, purpose }: ToggleSaveOptions,
    decide: ResolveConflicts,
  ): Promise<Saved<Toggle> | undefined> {
    const { name } = base;
    const isUndo = purpose === 'undo';
    const known = currentOwnToggle(name);
    try {
      return await replaceMerged({
        name,
        merge: mergeToggle,
        base,
        mine,
        decide,
        known: isUndo || !isTagged(known) ? undefined : known,
        read: () => fetchFresh(feature(name), { inline }),
        write: (merged, before) => put(merged, before, inline),
        ...(isUndo && { skipsWrite: endsUndo }),
      });
    } catch (failure) {
      if (failure instanceof ApiError) showStored(failure);
      throw failure;
    }
  }

  /** Ends an undo that would change nothing, because the change was undone elsewhere or all later versions were kept. */
  function endsUndo(merged: Toggle, before: Toggle, hasDecided: boolean): boolean {
    if (!jsonEqual(merged, before)) return false;
    refreshReads([features]);
    if (!hasDecided) throw new SaveCancelledError(`Nothing to undo: ${before.name} no longer contains this change.`);
    return true;
  }

  /** Reverts a save. Throws on conflicts, so that later changes are never overwritten. */
  async function undo({ before, sent }: Saved<Toggle>): Promise<void> {
    const { name } = before;
    const refuse = async () => {
      throw new Error(`Could not undo: ${name} has changed since. Its log can restore the earlier version.`);
    };
    await runInSequence(name, () => replace(sent, before, {}, refuse));
  }

  async function store(base: Toggle, edit: Edit, options: ToggleSaveOptions = {}) {
    const { name } = base;
    const { inline = false, purpose = 'edit', onConflict, done = `${name} saved` } = options;
    const decide: ResolveConflicts = (conflicts, { taken }) => {
      onConflict?.();
      return ask({ name, conflicts, taken, purpose, log: featureEvents(name) });
    };
    const user = userSignal();
    setRunning((count) => count + 1);
    try {
      const saved = await runInSequence(name, () => replace(base, edit(base), options, decide));
      // The next user must not see the result, or undo the save.
      if (!saved || user.aborted) return undefined;
      const place = changesEnvironment(saved) ? inEnvironment() : '';
      const isUndo = purpose === 'undo';
      offerUndo(isUndo ? `Change to ${name} undone${place}.` : `${done}${place}.`, () => undo(saved));
      if (isUndo) return saved.after;
      // Pushed after the undo offer, so that it is shown first; it disappears sooner.
      pushInfo(`${name} successfully updated!`, UPDATED_MS);
      return saved.after;
    } catch (thrown) {
      if (user.aborted) return undefined;
      if (inline) throw thrown;
      // The user knows that the save was declined.
      if (!(thrown instanceof DeclinedError)) pushFailure(thrown);
      return undefined;
    } finally {
      setRunning((count) => count - 1);
    }
  }

  return {
    store,
    save: async (...what) => (await store(...what)) !== undefined,
    saving: running > 0,
    conflict,
  };
}
