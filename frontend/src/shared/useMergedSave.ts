// Saves an edit of an item that another user may have changed since: changes of other fields are kept, and the user decides
// about fields that both changed.
import type { ReactNode } from 'react';
import { events } from '@/api/endpoints';
import type { Event, PermissionName } from '@/api/generated/types';
import type { Stored } from '@/api/resource';
import { type MergeRules, mergeItem } from '@/lib/merge';
import { type ConflictOptions, useConflictDialog } from './useConflictDialog';
import { RemovedError, replaceMerged } from './replaceMerged';

interface Options<Item> extends ConflictOptions {
  id: string;
  /** Name of the item in messages. Default: its id. */
  name?: string;
  rules: MergeRules<Item>;
  /** Reads the stored item; undefined if it was removed. */
  find: () => Promise<Stored<Item> | undefined>;
  /** Sends the merged item. Fails with 412 if the item no longer has the tag of the stored one. */
  replace: (merged: Item, stored: Stored<Item>) => Promise<unknown>;
  /** Start of the types of its events. Default: the noun. */
  eventType?: string;
  /** Permission to create the item again after another user has removed it. Without it, the save only fails. */
  createPermission?: PermissionName;
}

interface MergedSave<Item> {
  /** Saves the edit `mine` of `base`. Resolves with false if the user continues to edit. */
  save: (base: Item, mine: Item, create?: () => Promise<unknown>) => Promise<boolean>;
  /** The conflict dialog. */
  conflict: ReactNode;
}

export function useMergedSave<Item extends object>(options: Options<Item>): MergedSave<Item> {
  const {
    noun,
    id,
    name = id,
    rules,
    find,
    replace,
    eventType = noun.replaceAll(' ', '-'),
    createPermission,
  } = options;
  const { ask, conflict } = useConflictDialog(options);
  const about = {
    name,
    log: events,
    isChange: ({ type, data }: Event) =>
      type.startsWith(`${eventType}-`) && ['id', 'name', 'appName'].some((key) => String(data?.[key]) === id),
  };

  async function save(base: Item, mine: Item, create?: () => Promise<unknown>): Promise<boolean> {
    let tag: string | undefined;
    try {
      const saved = await replaceMerged({
        name,
        base,
        mine,
        merge: (b, m, t, resolve) => mergeItem(b, m, t, rules, resolve),
        read: async () => {
          const stored = await find();
          tag = stored?.tag;
          return stored?.item;
        },
        write: async (merged, before) => {
          await replace(merged, { item: before, tag });
          return merged;
        },
        decide: (conflicts, { taken }) => ask({ ...about, conflicts, taken }),
      });
      return saved !== undefined;
    } catch (failure) {
      if (!(failure instanceof RemovedError) || !create || !createPermission) throw failure;
      if (!(await ask({ ...about, conflicts: [], createPermission }))) return false;
      await create();
      return true;
    }
  }

  return { save, conflict };
}
