import type { PermissionName } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { AddIcon } from '@/ui/icons';
import { LinkButton } from './LinkButton';

interface Props {
  to: string;
  permission: PermissionName;
  /** Noun of the new item, such as 'tag type'. */
  noun: string;
}

/** Link to the form for a new item; a disabled button with the reason for users who cannot create one. */
export function CreateLink({ to, permission, noun }: Props) {
  return (
    <LinkButton to={to} variant="primary" icon={<AddIcon />} disabledReason={usePermission(permission)}>
      <span>
        New<span className="max-sm:sr-only"> {noun}</span>
      </span>
    </LinkButton>
  );
}
