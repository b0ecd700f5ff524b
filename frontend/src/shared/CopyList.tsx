import type { Endpoint } from '@/api/client';
import type { MenuAction } from '@/ui/MenuItems';
import { ActionsMenu, type Copied, copyActions } from './CopyMenu';

export interface CopyListProps<Item> {
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  /** Endpoint that reads the list. */
  call: Endpoint<unknown>;
  /** Returns the items as a file of `flagdeck plan`. */
  yaml?: ((items: readonly Item[]) => Promise<string>) | undefined;
}

/** The ⋯ menu of a list. `more` are entries before those that copy it. */
export function CopyList<Item>({ more, ...props }: CopyListProps<Item> & { more?: readonly MenuAction[] }) {
  return <ActionsMenu subject="the list" items={[...(more ?? []), ...copyListActions(props)]} />;
}

/** Returns the entries of a menu that copy the list. */
export function copyListActions<Item>(props: CopyListProps<Item>): MenuAction[] {
  return isEmpty(props.items) ? [] : copyActions(copiedList(props));
}

function isEmpty(items: readonly unknown[] | undefined): boolean {
  return items === undefined || items.length === 0;
}

function copiedList<Item>({ items = [], call, yaml }: CopyListProps<Item>): Copied {
  return {
    json: () => items,
    yaml: yaml && (() => yaml(items)),
    calls: [{ label: 'curl', call }],
  };
}
