import { Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { PermissionName } from '@/api/disabledReason';
import { usePermission } from '@/api/permissions';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';

interface Props {
  to: string;
  permission: PermissionName;
  /** Noun of the new item, such as 'tag type'. */
  noun: string;
}

/** Link to the form for a new item; a disabled button with the reason for users who cannot create one. */
export function CreateLink({ to, permission, noun }: Props) {
  const disabledReason = usePermission(permission);
  const icon = <Plus size={16} strokeWidth={1.75} aria-hidden="true" />;
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
