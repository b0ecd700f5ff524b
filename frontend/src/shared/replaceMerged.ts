// Reads, merges and writes an item, until it is stored or the user cancels. Servers can only replace a whole item.
//
// The write names the entity tag of the item that was read. Flagdeck refuses it (412) if the item has changed since, and the
// item is read and merged again. The first write therefore needs no read if the page knows a tag. Other servers have no
// strong tags: a change between the read and the write is lost.
import { ApiError } from '@/api/error';
import { jsonEqual } from '@/lib/json';
import type { MergeConflict, MergeFunction, MergeResult, Side } from '@/lib/merge';
import { SaveCancelledError } from './SaveCancelledError';

/** The chosen side of each conflict, by its id. */
export type Choices = ReadonlyMap<string, Side>;

/** Resolves with the choices, or undefined to cancel the save. */
export type ResolveConflicts = (
  conflicts: readonly MergeConflict[],
  result: Pick<MergeResult<unknown>, 'taken'>,
) => Promise<Choices | undefined>;

interface Options<Item> {
  /** Name of the item in messages. */
  name: string;
  /** The item when editing began. */
  base: Item;
  /** The edited item. */
  mine: Item;
  merge: MergeFunction<Item>;
  /** The item as the page has read it, if it has a strong entity tag: the first write then needs no read. */
  known?: Item | undefined;
  /** Reads the stored item; undefined if it was removed. */
  read: () => Promise<Item | undefined>;
  /** Stores `merged` unless the item is no longer `before`, and returns the stored item. */
  write: (merged: Item, before: Item) => Promise<Item>;
  decide: ResolveConflicts;
  /** Returns whether the merged item needs no write. `hasDecided` is true if the user has decided conflicts. */
  skipsWrite?: (merged: Item, before: Item, hasDecided: boolean) => boolean;
}

/** A completed save: the item before it, as sent, and as read afterwards. */
export interface Saved<Item> {
  before: Item;
  sent: Item;
  after: Item;
}

/** Another user removed the item while it was edited. */
export class RemovedError extends SaveCancelledError {}

/** Returns undefined if the user cancels, or if no write is needed. */
export function replaceMerged<Item>(options: Options<Item>): Promise<Saved<Item> | undefined> {
  const { name, base, mine, merge, read, write, decide, skipsWrite } = options;
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
      if (before === undefined) throw new RemovedError('Not saved: it was removed while you were editing.');
      const result = merge(base, mine, before, (conflict) => choose(conflict) ?? 'theirs');
      const open = result.conflicts.filter((conflict) => choose(conflict) === undefined);
      if (open.length === 0) {
        if (skipsWrite?.(result.merged, before, decided.size > 0)) return undefined;
        return { before, sent: result.merged, after: await write(result.merged, before) };
      }
      // The user decides on the stored item: the conflict may be over, or a newer one.
      if (!isFresh) continue;
      const choices = await decide(open, result);
      if (!choices) return undefined;
      for (const { id, theirs } of open) decided.set(id, { side: choices.get(id) ?? 'theirs', theirs });
    }
  }, name);
}

const MAX_ATTEMPTS = 5;

/** Runs `save`, which reads, merges and writes an item. A write that fails with 412 stored nothing: `save` runs again. */
export async function retryIfChanged<Result>(save: () => Promise<Result>, name: string): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await save();
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 412) throw failure;
      if (attempt === MAX_ATTEMPTS) {
        throw new SaveCancelledError(`Not saved: ${name} keeps changing. Try again in a moment.`);
      }
    }
  }
}
