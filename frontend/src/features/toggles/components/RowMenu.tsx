import { Archive, CircleCheck, Clock, Ellipsis } from 'lucide-react';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { Menu } from '@/ui/Menu';
import { needs } from '../permissions';
import { useToggleWrites } from '../useToggleWrites';

interface Props {
  toggle: Toggle;
  onArchive: (toggle: Toggle) => void;
}

export function RowMenu({ toggle, onArchive }: Props) {
  const mayUpdate = usePermission('UPDATE_FEATURE');
  const mayDelete = usePermission('DELETE_FEATURE');
  const { setStale } = useToggleWrites();
  const StatusIcon = toggle.stale ? CircleCheck : Clock;
  return (
    <Menu
      label={`Actions for ${toggle.name}`}
      trigger={{ icon: <Ellipsis size={17} strokeWidth={1.75} aria-hidden="true" /> }}
      items={[
        {
          id: 'status',
          label: toggle.stale ? 'Set toggle Active' : 'Mark toggle as Stale',
          icon: <StatusIcon size={16} strokeWidth={1.75} aria-hidden="true" />,
          disabledReason: mayUpdate ? undefined : needs('UPDATE_FEATURE'),
          onSelect: () => void setStale(toggle, !toggle.stale),
        },
        { separator: true },
        {
          id: 'archive',
          label: 'Archive',
          icon: <Archive size={16} strokeWidth={1.75} aria-hidden="true" />,
          tone: 'danger',
          disabledReason: mayDelete ? undefined : needs('DELETE_FEATURE'),
          onSelect: () => onArchive(toggle),
        },
      ]}
    />
  );
}
