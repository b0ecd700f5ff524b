// Editing a toggle's strategies: drafts, saving, removing and reordering.
import { useCallback, useMemo, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Strategy, Toggle } from '@/api/generated/types';
import type { MergeConflict, Side } from '@/lib/merge';
import type { ChangedStrategy } from '../saving/changeAuthor';
import { mergeToggle } from '../saving/mergeToggle';
import { useToggleSave } from '../saving/useToggleSave';
import {
  adoptStored,
  createDrafts,
  discardDrafts,
  type EditedStrategy,
  editDraft,
  getDirtyKeys,
  getTheirVersion,
  markSaved,
  moveItem,
  rebase,
  removeAt,
  type StrategyDrafts,
  toStrategyVersions,
} from './strategyDrafts';

interface Move {
  from: number;
  to: number;
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

export function useActivation(toggle: Toggle) {
  // The reducer rebases before each edit, and the render rebases what it shows: no render changes the state.
  const [state, change] = useReducer(
    (drafts: StrategyDrafts, edit: (drafts: StrategyDrafts) => StrategyDrafts) =>
      edit(rebase(drafts, toggle.strategies)),
    toggle.strategies,
    createDrafts,
  );
  const [moving, setMoving] = useState<Move>();
  const [savedKeys, setSavedKeys] = useState<readonly number[]>([]);
  const { store, saving, conflict } = useToggleSave();
  const removal = useToggleSave();
  const current = useMemo(() => rebase(state, toggle.strategies), [state, toggle.strategies]);
  const dirty = getDirtyKeys(current);

  const edit = useCallback(
    (key: number, strategy: Strategy) => change((drafts) => editDraft(drafts, key, strategy)),
    [],
  );

  const withStrategies = (strategies: Strategy[]): Toggle => ({ ...toggle, strategies });

  /** Resolves with true if the drafts were stored without a conflict. */
  async function save(keys: readonly number[]): Promise<boolean> {
    const { base, mine } = toStrategyVersions(current, keys);
    let hasConflict = false;
    const onConflict = () => {
      hasConflict = true;
    };
    setSavedKeys((saving) => [...saving, ...keys]);
    const stored = await store(withStrategies(base), () => withStrategies(mine), { onConflict });
    if (stored) change((drafts) => markSaved(drafts, keys, stored.strategies));
    // At once, because the caller moves the focus to a field that is inert until then.
    flushSync(() => setSavedKeys((saving) => saving.filter((key) => !keys.includes(key))));
    return stored !== undefined && !hasConflict;
  }

  /** Removes a strategy; one that is not stored is discarded. Throws, and the dialog shows the error. */
  async function remove({ key, at, base, now }: EditedStrategy) {
    if (at === undefined || base?.name !== now.name) return change((drafts) => discardDrafts(drafts, [key]));
    const strategies = current.stored.map((stored, index) => (index === at ? (base ?? stored) : stored));
    const stored = await removal.store(
      withStrategies(strategies),
      (known) => ({ ...known, strategies: removeAt(strategies, at) }),
      {
        inline: true,
      },
    );
    if (stored) change((drafts) => markSaved(drafts, [key], stored.strategies));
  }

  /** Changes with which saving the draft would have a conflict. During a save, the stored version may be the saved one. */
  function findTheirChange(draft: EditedStrategy): TheirChange | undefined {
    const { key } = draft;
    const change = savedKeys.includes(key) ? undefined : getTheirVersion(current, draft);
    if (!change) return undefined;
    const { base, mine } = toStrategyVersions(current, [key]);
    const { conflicts } = mergeToggle(withStrategies(base), withStrategies(mine), toggle);
    return conflicts.length > 0 ? { key, ...change, conflicts } : undefined;
  }

  async function move(from: number, to: number) {
    setMoving({ from, to, stored: current.stored });
    const stored = await store(withStrategies([...current.stored]), (known) => ({
      ...known,
      strategies: moveItem(known.strategies, from, to),
    }));
    if (stored) change((drafts) => rebase(drafts, stored.strategies));
    setMoving(undefined);
  }

  return {
    /** The strategies, in the new order during a move. */
    drafts:
      moving && moving.stored === current.stored ? moveItem(current.drafts, moving.from, moving.to) : current.drafts,
    dirty,
    saving,
    savedKeys,
    theirChanges: current.drafts.flatMap((draft) => findTheirChange(draft) ?? []),
    /** Decides before the save: returns to the stored version, or bases the draft on it. */
    decide: (key: number, side: Side) =>
      change((drafts) => (side === 'mine' ? adoptStored(drafts, [key]) : discardDrafts(drafts, [key]))),
    conflict,
    removalConflict: removal.conflict,
    /** Returns the toggle before and after saving these drafts. */
    preview: (keys: readonly number[]): [Toggle, Toggle] => {
      const { base, mine } = toStrategyVersions(current, keys);
      return [withStrategies(base), withStrategies(mine)];
    },
    /** Applies an edit to the drafts. */
    update: change,
    edit,
    discard: (keys: readonly number[]) => change((drafts) => discardDrafts(drafts, keys)),
    save,
    remove,
    move,
  };
}
