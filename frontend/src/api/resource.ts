// Reads and writes of the items of one list endpoint.
import { useMemo } from 'react';
import { capitalise } from '@/lib/text';
import type { Endpoint, Write } from './client';
import { type ApiError, isNotFound } from './error';
import { patch, useRead } from './useRead';
import { useWrite } from './useWrite';
import { pushInfo } from './notices';

interface Options<Data, Item, Draft, Created> {
  /** Singular, in lower case, such as 'tag type'. */
  noun: string;
  /** Reads all items. */
  list: Endpoint<Data>;
  items: (data: Data) => readonly Item[];
  withItems: (data: Data, items: Item[]) => Data;
  id: (item: Item) => ItemId;
  /** Order of display. Default: the order of the response. */
  sort?: (items: readonly Item[]) => readonly Item[];
  create: Write<Draft, Created>;
  remove: (item: Item) => Write<void, unknown>;
  /** Lists that also change when an item is created or removed. */
  affects?: readonly Endpoint<unknown>[];
  /** Name of an item in the notice after a write. Omitted if the callers write the notice. */
  nameInNotices?: (item: Draft) => string;
}

interface EditableOptions<Data, Item extends Draft, Draft> extends Options<Data, Item, Draft, unknown> {
  /** Reads one item, for its entity tag. The body is not used, because its format differs between servers. */
  one: (id: ItemId) => Endpoint<object>;
  update: (item: Item) => Write<Draft, unknown>;
  /** The body of the update. Default: the item. */
  toBody?: (item: Item) => Draft;
}

type ItemId = string | number;

interface ItemList<Item> {
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  /** The server lacks the endpoint, which the endpoint's policy permits. */
  isUnsupported: boolean;
  error: ApiError | undefined;
  reload: () => void;
}

/** All writes throw on failure, and the calling form or dialog shows the error. */
export interface Resource<Item, Draft = Item, Created = unknown> {
  noun: string;
  /** Reads all items. */
  list: Endpoint<unknown>;
  id(item: Item): ItemId;
  useList(): ItemList<Item>;
  /** The function returns the response; undefined without a body. */
  useCreate(): (draft: Draft) => Promise<Created | undefined>;
  useRemove(): (item: Item) => Promise<void>;
}

interface ReplaceOptions {
  /** The caller shows failures; otherwise the snackbar does. Default: true. */
  inline?: boolean;
}

/** A stored item. */
export interface Stored<Item> {
  item: Item;
  /** Its entity tag; undefined if the server has no strong ones. */
  tag: string | undefined;
}

export interface EditableResource<Item, Draft = Item> extends Resource<Item, Draft> {
  useReplace(options?: ReplaceOptions): {
    /** Reads the stored item; undefined if it was removed. */
    find(id: ItemId): Promise<Stored<Item> | undefined>;
    /** Replaces the item. Fails with 412 if there is a tag and the item has another one: see `retryIfChanged`. */
    replace(item: Item, tag: string | undefined): Promise<void>;
  };
}

/** Declares a list whose items can be created and removed. */
export function resource<Data, Item extends Draft, Draft, Created>(
  options: Options<Data, Item, Draft, Created>,
): Resource<Item, Draft, Created> {
  const { noun, list, items, id, sort, create, remove, affects = [] } = options;
  const refreshes = [list, ...affects];
  return {
    noun,
    list,
    id,
    useList() {
      const { data, error, reload } = useRead(list);
      // Memoized, because there may be thousands of items.
      const all = useMemo(() => data && (sort?.(items(data)) ?? items(data)), [data, items, sort]);
      const mayBeAbsent = list.policy?.mayBeAbsent === true;
      const isUnsupported = mayBeAbsent && error !== undefined && isNotFound(error) && data === undefined;
      return { items: all, isUnsupported, error, reload };
    },
    useCreate() {
      const { send } = useWrite();
      return async (draft) => {
        const created = await send(create, { body: draft, refreshes, inline: true });
        notify(options, draft, 'created');
        return created;
      };
    },
    useRemove() {
      const { send } = useWrite();
      return async (item) => {
        await send(remove(item), {
          patches: () => patchItems(options, (all) => all.filter((one) => id(one) !== id(item))),
          refreshes,
          inline: true,
        });
        notify(options, item, 'removed');
      };
    },
  };
}

/** Declares a list whose items can also be replaced. */
export function editableResource<Data, Item extends Draft, Draft>(
  options: EditableOptions<Data, Item, Draft>,
): EditableResource<Item, Draft> {
  const { list, items, id, one, update, toBody = (item: Item) => item } = options;
  return {
    ...resource(options),
    useReplace({ inline = true } = {}) {
      const { send, fetchFresh, fetchTag } = useWrite();
      return {
        async find(wanted) {
          // The tag is read first: a write after a change of the item in between is refused.
          const tag = await fetchTag(one(wanted), { inline });
          const item = items(await fetchFresh(list, { inline })).find((each) => id(each) === wanted);
          return item && { item, tag };
        },
        async replace(item, tag) {
          await send(update(item), {
            body: toBody(item),
            ifMatch: tag,
            patches: () => patchItems(options, (all) => all.map((each) => (id(each) === id(item) ? item : each))),
            refreshes: [list],
            inline,
          });
          notify(options, item, 'updated');
        },
      };
    },
  };
}

function patchItems<Data, Item, Draft, Created>(
  { list, items, withItems }: Options<Data, Item, Draft, Created>,
  edit: (all: readonly Item[]) => Item[],
) {
  return [patch(list, (data) => withItems(data, edit(items(data))))];
}

function notify<Draft>(
  { noun, nameInNotices }: Pick<Options<never, never, Draft, never>, 'noun' | 'nameInNotices'>,
  item: Draft,
  participle: string,
): void {
  if (!nameInNotices) return;
  const kind = capitalise(noun);
  pushInfo(`${kind} ${nameInNotices(item)} ${participle}.`);
}
