import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { GoToIcon } from '@/ui/icons';
import { SecondaryActions } from '@/ui/SecondaryActions';
import { CopyList, type CopyListProps, copyListActions } from './CopyList';
import { LinkButton } from './LinkButton';

interface Props<Item> extends CopyListProps<Item> {
  /** Links to related lists. */
  related?: readonly { label: string; to: string }[] | undefined;
  /** The primary button. */
  children?: ReactNode;
}

/** The actions of a list: go to related lists, create an item, and copy the list. */
export function ListActions<Item>({ related = [], children, ...copied }: Props<Item>) {
  const navigate = useNavigate();
  const links = related.map(({ label, to }) => ({
    id: to,
    label,
    icon: <GoToIcon />,
    onSelect: () => void navigate(to),
  }));
  return (
    <SecondaryActions items={[...links, ...copyListActions(copied)]} primary={children} menu={<CopyList {...copied} />}>
      {related.map(({ label, to }) => (
        <LinkButton key={to} to={to}>
          {label}
        </LinkButton>
      ))}
    </SecondaryActions>
  );
}
