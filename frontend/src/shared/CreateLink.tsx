import { Link } from 'react-router-dom';
import { useDisabledReason } from '@/api/permissions';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { AddIcon } from '@/ui/icons';

interface Props {
  to: string;
  permission: string;
  /** Noun of the new item, such as 'tag type'. */
  noun: string;
}

/** Link to the form for a new item; a disabled button with the reason for users who cannot create one. */
export function CreateLink({ to, permission, noun }: Props) {
  const disabledReason = useDisabledReason(permission);
  const icon = <AddIcon />;
  if (disabledReason !== undefined) {
    return (
      <Button variant="primary" icon={icon} disabledReason={disabledReason}>
        New {noun}
      </Button>
    );
  }
  return (
    <Link to={to} className={buttonClass({ variant: 'primary' })}>
      {icon}
      New {noun}
    </Link>
  );
}
