import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { GoToIcon } from '@/ui/icons';
import { SecondaryActions } from '@/ui/SecondaryActions';
import { CopyList, type CopyListProps, copyListActions } from './CopyList';
import { LinkButton } from './LinkButton';

interface Props<Item> extends CopyListProps<Item> {
  /** Link to a related list. */
  related?: { label: string; to: string } | undefined;
  /** The primary button. */
  children?: ReactNode;
}

/** The actions of a list: go to the related list, create an item, and copy the list. */
export function ListActions<Item>({ related, children, ...copied }: Props<Item>) {
  const navigate = useNavigate();
  const link = related && {
    id: 'related',
    label: related.label,
    icon: <GoToIcon />,
    onSelect: () => void navigate(related.to),
  };
  const items = [...(link ? [link] : []), ...copyListActions(copied)];
  return (
    <SecondaryActions items={items} primary={children} menu={<CopyList {...copied} />}>
      {related && <LinkButton to={related.to}>{related.label}</LinkButton>}
    </SecondaryActions>
  );
}
