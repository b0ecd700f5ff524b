import { Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { needs, usePermission } from '@/api/permissions';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';

interface Props {
  to: string;
  permission: string;
  /** What is made, such as 'tag type'. */
  noun: string;
}

/** The way to a form for a new one; for those who may not, a button that says why. */
export function CreateLink({ to, permission, noun }: Props) {
  const icon = <Plus size={16} strokeWidth={1.75} aria-hidden="true" />;
  if (!usePermission(permission)) {
    return (
      <Button variant="primary" icon={icon} disabledReason={needs(permission)}>
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
