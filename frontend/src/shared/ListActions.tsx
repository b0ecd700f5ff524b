import type { ReactNode } from 'react';
import { GoToIcon } from '@/ui/icons';
import type { MenuAction } from '@/ui/MenuItems';
import { PhoneMenu, SecondaryActions } from '@/ui/SecondaryActions';
import { CopyList, type CopyListProps, copyListActions } from './CopyList';
import { useOpenPage } from './navigation';
import { TextLink } from './TextLink';

interface RelatedList {
  label: string;
  to: string;
}

interface MenuProps<Item> extends CopyListProps<Item> {
  /** Links to related lists. */
  related?: readonly RelatedList[] | undefined;
  /** Other entries of the menu. */
  more?: readonly MenuAction[];
}

interface Props<Item> extends MenuProps<Item> {
  /** The page has its menu of phones elsewhere. */
  hasOwnMenu?: boolean;
  /** The primary button. */
  children?: ReactNode;
}

/** The actions of a list: go to related lists, create an item, and copy the list. */
export function ListActions<Item>({ hasOwnMenu = false, children, ...rest }: Props<Item>) {
  const { related = [], more = [], ...copied } = rest;
  const items = useMenuItems(rest);
  return (
    <SecondaryActions items={hasOwnMenu ? [] : items} primary={children} menu={<CopyList {...copied} more={more} />}>
      {related.map(({ label, to }) => (
        <TextLink key={to} to={to} className="mr-2 text-muted">
          {label}
        </TextLink>
      ))}
    </SecondaryActions>
  );
}

/** The actions of a list as a menu, on phones, for pages without room for it beside the title. */
export function ListMenu<Item>(props: MenuProps<Item>) {
  return <PhoneMenu items={useMenuItems(props)} />;
}

function useMenuItems<Item>({ related = [], more = [], ...copied }: MenuProps<Item>): MenuAction[] {
  return [...useRelatedItems(related), ...more, ...copyListActions(copied)];
}

/** Returns the entries of a menu that go to related lists. */
export function useRelatedItems(related: readonly RelatedList[]): MenuAction[] {
  const open = useOpenPage();
  return related.map(({ label, to }) => ({
    id: to,
    label,
    icon: <GoToIcon />,
    onSelect: () => void open(to),
  }));
}
