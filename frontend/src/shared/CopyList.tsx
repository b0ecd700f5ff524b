import type { MenuAction } from '@/ui/MenuItems';
import { ActionsMenu, copyActions } from './CopyMenu';

export interface CopyListProps<Item> {
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  /** Returns the items as a file of `flagdeck plan`. */
  yaml?: ((items: readonly Item[]) => Promise<string>) | undefined;
}

/** The ⋯ menu of a list. `more` are entries before those that copy it. */
export function CopyList<Item>({ more, ...props }: CopyListProps<Item> & { more?: readonly MenuAction[] }) {
  return <ActionsMenu subject="the list" items={[...(more ?? []), ...copyListActions(props)]} />;
}

/** Returns the entries of a menu that copy the list; none while it is empty. */
export function copyListActions<Item>({ items = [], yaml }: CopyListProps<Item>): MenuAction[] {
  return items.length === 0 ? [] : copyActions({ json: () => items, yaml: yaml && (() => yaml(items)) });
}
