import { useNavigate } from 'react-router-dom';
import { GoToIcon } from '@/ui/icons';
import { SecondaryActions } from '@/ui/SecondaryActions';
import { CopyList, type CopyListProps, copyListActions } from './CopyList';
import { LinkButton } from './LinkButton';

interface Props<Item> extends CopyListProps<Item> {
  /** Link to a related list. */
  related?: { label: string; to: string } | undefined;
}

/** The actions of a list besides its primary button: copy it, and go to the related list. */
export function ListActions<Item>({ related, ...copied }: Props<Item>) {
  const navigate = useNavigate();
  const link = related && {
    id: 'related',
    label: related.label,
    icon: <GoToIcon />,
    onSelect: () => void navigate(related.to),
  };
  const items = [...(link ? [link] : []), ...copyListActions(copied)];
  return (
    <SecondaryActions items={items}>
      <CopyList {...copied} />
      {related && <LinkButton to={related.to}>{related.label}</LinkButton>}
    </SecondaryActions>
  );
}
