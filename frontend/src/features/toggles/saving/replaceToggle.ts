// Reads, merges and writes a toggle, until it is stored or the user cancels. Servers can only replace a whole toggle.
//
// The write names the entity tag of the toggle that was read. Flagdeck refuses it (412) if the toggle has changed since, and
// the toggle is read and merged again. The first write therefore needs no read if the page knows a tag. Other servers have
// no strong tags: a change between the read and the write is lost.
import type { Toggle } from '@/api/generated/types';
import { jsonEqual } from '@/lib/json';
import { retryIfChanged } from '@/shared/retryIfChanged';
import { type MergeConflict, mergeToggle, type Side } from './mergeToggle';

/** Resolves with the chosen side of each conflict, or undefined to cancel the save. */
export type ResolveConflicts = (conflicts: readonly MergeConflict[]) => Promise<ReadonlyMap<string, Side> | undefined>;

interface Options {
  /** The toggle when editing began. */
  base: Toggle;
  /** The edited toggle. */
  mine: Toggle;
  /** The toggle as the page has read it, if it has a strong entity tag: the first write then needs no read. */
  known?: Toggle | undefined;
  /** Reads the stored toggle. */
  read: () => Promise<Toggle>;
  /** Stores `merged` unless the toggle is no longer `before`, and returns the stored toggle. */
  write: (merged: Toggle, before: Toggle) => Promise<Toggle>;
  decide: ResolveConflicts;
  /** Returns whether the merged toggle needs no write. `hasDecided` is true if the user has decided conflicts. */
  skipsWrite?: (merged: Toggle, before: Toggle, hasDecided: boolean) => boolean;
}

/** A completed save: the toggle before it, as sent, and as read afterwards. */
export interface Saved {
  before: Toggle;
  sent: Toggle;
  after: Toggle;
}

/** Returns undefined if the user cancels, or if no write is needed. */
export function replaceToggle(options: Options): Promise<Saved | undefined> {
  const { base, mine, read, write, decide, skipsWrite } = options;
  let { known } = options;
  const decided = new Map<string, { side: Side; theirs: unknown }>();
  const choose = (conflict: MergeConflict) => {
    const decision = decided.get(conflict.id);
    // A decision applies only to the version shown: if it changed again, ask again.
    return decision && jsonEqual(decision.theirs, conflict.theirs) ? decision.side : undefined;
  };
  return retryIfChanged(async () => {
    for (;;) {
      const isFresh = known === undefined;
      const before = known ?? (await read());
      known = undefined;
      const { toggle, conflicts } = mergeToggle(base, mine, before, (conflict) => choose(conflict) ?? 'theirs');
      const open = conflicts.filter((conflict) => choose(conflict) === undefined);
      if (open.length === 0) {
        if (skipsWrite?.(toggle, before, decided.size > 0)) return undefined;
        return { before, sent: toggle, after: await write(toggle, before) };
      }
      // The user decides on the stored toggle: the conflict may be over, or a newer one.
      if (!isFresh) continue;
      const choices = await decide(open);
      if (!choices) return undefined;
      for (const { id, theirs } of open) decided.set(id, { side: choices.get(id) ?? 'theirs', theirs });
    }
  }, base.name);
}
