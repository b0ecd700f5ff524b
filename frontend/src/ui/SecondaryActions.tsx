import type { ReactNode } from 'react';
import { MoreIcon } from './icons';
import { Menu } from './Menu';
import type { MenuItem } from './MenuItems';

interface Props {
  /** The same actions, as entries of the menu. */
  items: readonly MenuItem[];
  /** The buttons. */
  children: ReactNode;
  /** Action that is a button at all widths, after the others. */
  primary?: ReactNode;
  /** The ⋯ menu of wide windows. It is always last. */
  menu?: ReactNode;
}

/** Actions that are buttons in wide windows, and entries of a menu on phones. */
export function SecondaryActions({ items, children, primary, menu }: Props) {
  return (
    <>
      <span className="contents max-sm:hidden">{children}</span>
      {primary}
      <span className="contents max-sm:hidden">{menu}</span>
      <PhoneMenu items={items} />
    </>
  );
}

/** The menu of phones with actions that are buttons in wide windows. */
export function PhoneMenu({ items }: Pick<Props, 'items'>) {
  if (items.length === 0) return null;
  return (
    <span className="sm:hidden">
      <Menu label="More actions" trigger={{ icon: <MoreIcon size={17} /> }} items={items} />
    </span>
  );
}
