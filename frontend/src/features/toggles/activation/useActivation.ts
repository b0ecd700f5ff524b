// Editing a toggle's strategies: drafts, saving, removing and reordering. Actions name strategies by their keys, and read the
// drafts when they run.
import { useLayoutEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Strategy, Toggle } from '@/api/generated/types';
import { offerUndo, pushInfo } from '@/api/notices';
import type { MergeConflict, Side } from '@/lib/merge';
import { createSequence } from '@/lib/sequence';
import { createStore, useStore } from '@/lib/store';
import { useIsMounted } from '@/lib/useIsMounted';
import type { ChangedStrategy } from '../saving/changeAuthor';
import { mergeToggle } from '../saving/mergeToggle';
import { useToggleSave } from '../saving/useToggleSave';
import {
  adoptStored,
  createDrafts,
  discardDrafts,
  type EditedStrategy,
  editDraft,
  endFocus,
  getDirtyKeys,
  getStoredKeys,
  getTheirVersion,
  isDirty,
  markSaved,
  markUnsaved,
  moveBefore,
  rebase,
  removeAt,
  restoreDrafts,
  type StrategyPart,
  setFocus,
  type StrategyDrafts,
  startSave,
  toStrategyVersions,
} from './strategyDrafts';

interface Move {
  key: number;
  /** Key of the strategy that follows it; undefined for the end of the list. */
  beforeKey: number | undefined;
  /** The order in which the move started. The move is done when the stored order changes. */
  stored: StrategyDrafts['stored'];
}

/** A change of another user, or of another window, to a strategy that is edited here. */
export interface TheirChange extends ChangedStrategy {
  /** Key of the draft. */
  key: number;
  /** The conflicts that saving the draft would have. */
  conflicts: readonly MergeConflict[];
}

/** The drafts of a toggle, and its saves. */
function createModel(stored: readonly Strategy[]) {
  const drafts = createStore(createDrafts(stored));
  const change = (edit: (drafts: StrategyDrafts) => StrategyDrafts) => drafts.set(edit(drafts.get()));
  return {
    drafts,
    change,
    /** Saves run one after the other: each starts from the result of the previous one. */
    runInSequence: createSequence(),
    edit: (key: number, strategy: Strategy) => change((state) => editDraft(state, key, strategy)),
    /** Requests the focus for a part of a draft. */
    focus(key: number, part: StrategyPart) {
      const request = {
        key,
        part,
        from: document.activeElement,
        end: () => change((state) => endFocus(state, request)),
      };
      change((state) => setFocus(state, request));
    },
  };
}

export function useActivation(toggle: Toggle) {
  const [{ drafts, runInSequence, change, edit, focus }] = useState(() => createModel(toggle.strategies));
  const state = useStore(drafts);
  const [moving, setMoving] = useState<Move>();
  const { store, saving, conflict } = useToggleSave();
  const removal = useToggleSave();
  const current = useMemo(() => rebase(state, toggle.strategies), [state, toggle.strategies]);
  // An effect, because rendering changes no store. A layout effect, so that no event comes before it: keys of new strategies
  // last from the first render that shows them.
  useLayoutEffect(() => change((state) => rebase(state, toggle.strategies)), [change, toggle.strategies]);
  const dirty = getDirtyKeys(current);
  const isMounted = useIsMounted();

  const withStrategies = (strategies: Strategy[]): Toggle => ({ ...toggle, strategies });

  /** Resolves with true if the drafts were stored without a conflict. */
  function save(keys: readonly number[]): Promise<boolean> {
    // The drafts are busy from now on, also while another save runs. Edits until this save starts are part of it.
    change((state) => startSave(state, keys));
    return runInSequence(async () => {
      const { base, mine } = toStrategyVersions(drafts.get(), keys);
      let hasConflict = false;
      const onConflict = () => {
        hasConflict = true;
      };
      change((state) => startSave(state, keys));
      const stored = await store(withStrategies(base), () => withStrategies(mine), { onConflict });
      // At once, because the caller moves the focus.
      flushSync(() =>
        change((state) => (stored ? markSaved(state, keys, stored.strategies) : markUnsaved(state, keys))),
      );
      return stored !== undefined && !hasConflict;
    });
  }

  /**
   * Removes a strategy of which the user has seen this stored version; one that is not stored is discarded. Throws, and the
   * dialog shows the error.
   */
  function remove(key: number, seen: Strategy | undefined): Promise<void> {
    return runInSequence(async () => {
      const { drafts: all, stored } = drafts.get();
      const draft = all.find((one) => one.key === key);
      if (!draft) return pushInfo('Another user has already removed the strategy.');
      const { at, base, now } = draft;
      if (at === undefined || base?.name !== now.name) return change((state) => discardDrafts(state, [key]));
      const before = stored.map((strategy, index) => (index === at ? (seen ?? strategy) : strategy));
      const after = await removal.store(
        withStrategies(before),
        (known) => ({ ...known, strategies: removeAt(before, at) }),
        { inline: true },
      );
      if (after) change((state) => markSaved(state, [key], after.strategies));
    });
  }

  /** Changes with which saving the draft would have a conflict. During a save, the stored version may be the saved one. */
  function findTheirChange(draft: EditedStrategy): TheirChange | undefined {
    const { key } = draft;
    const change = draft.submitted ? undefined : getTheirVersion(current, draft);
    if (!change) return undefined;
    const { base, mine } = toStrategyVersions(current, [key]);
    const { conflicts } = mergeToggle(withStrategies(base), withStrategies(mine), toggle);
    return conflicts.length > 0 ? { key, ...change, conflicts } : undefined;
  }

  /** Moves a strategy before another one, or to the end. Does nothing if one of them was removed meanwhile. */
  const move = (key: number, beforeKey: number | undefined) => runInSequence(() => moveNow(key, beforeKey));

  /** Moves a strategy by one position, from where the moves before it have put it. Does nothing at the end of the list. */
  const step = (key: number, by: -1 | 1) =>
    runInSequence(async () => {
      const { saved } = getStoredKeys(drafts.get().drafts);
      const to = saved.indexOf(key) + by;
      if (to >= 0 && to < saved.length) await moveNow(key, saved.filter((other) => other !== key)[to]);
    });

  async function moveNow(key: number, beforeKey: number | undefined): Promise<void> {
    const { drafts: all, stored } = drafts.get();
    const inOrder = all.flatMap(({ key, at }) => (at === undefined ? [] : { key, at }));
    const moved = moveBefore(inOrder, key, beforeKey);
    if (!moved) return;
    setMoving({ key, beforeKey, stored });
    const after = await store(withStrategies([...stored]), (known) => ({
      ...known,
      strategies: moved.flatMap(({ at }) => known.strategies[at] ?? []),
    }));
    if (after) change((state) => rebase(state, after.strategies));
    setMoving(undefined);
  }

  /** Discards all edits, and offers to restore them. */
  function discardAll() {
    const discarded = drafts.get().drafts.filter(isDirty);
    change((state) => discardDrafts(state, getDirtyKeys(state)));
    offerUndo(`Changes of ${toggle.name} cleared.`, async () => {
      // The offer stays when the page is left.
      if (!isMounted.current) throw new Error('Could not restore the changes: you have left their page.');
      change((state) => restoreDrafts(state, discarded));
    });
  }

  return {
    /** The strategies, in the new order during a move. */
    drafts:
      (moving?.stored === current.stored && moveBefore(current.drafts, moving.key, moving.beforeKey)) || current.drafts,
    dirty,
    saving,
    theirChanges: current.drafts.flatMap((draft) => findTheirChange(draft) ?? []),
    /** Decides before the save: returns to the stored version, or bases the draft on it. */
    decide: (key: number, side: Side) =>
      change((state) => (side === 'mine' ? adoptStored(state, [key]) : discardDrafts(state, [key]))),
    conflict,
    removalConflict: removal.conflict,
    /** Returns the toggle before and after saving these drafts. */
    preview: (keys: readonly number[]): [Toggle, Toggle] => {
      const { base, mine } = toStrategyVersions(current, keys);
      return [withStrategies(base), withStrategies(mine)];
    },
    /** Applies an edit to the drafts. */
    update: change,
    /** Edits the draft with this key. The same function in each render. */
    edit,
    /** The part of a strategy that gets the focus next. */
    focusRequest: current.focus,
    /** Requests the focus for a part of a draft. The same function in each render. */
    focus,
    discard: (keys: readonly number[]) => change((state) => discardDrafts(state, keys)),
    discardAll,
    save,
    remove,
    move,
    step,
  };
}
