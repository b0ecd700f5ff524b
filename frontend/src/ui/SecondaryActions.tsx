import type { ReactNode } from 'react';
import { MoreIcon } from './icons';
import { Menu } from './Menu';
import type { MenuAction } from './MenuItems';

interface Props {
  /** The same actions, as entries of the menu. */
  items: readonly (MenuAction | { separator: true })[];
  /** The buttons. */
  children: ReactNode;
}

/** Actions that are buttons in wide windows, and entries of a menu on phones. */
export function SecondaryActions({ items, children }: Props) {
  return (
    <>
      <span className="contents max-sm:hidden">{children}</span>
      {items.length > 0 && (
        <span className="sm:hidden">
          <Menu label="More actions" trigger={{ icon: <MoreIcon size={17} /> }} items={items} />
        </span>
      )}
    </>
  );
}
