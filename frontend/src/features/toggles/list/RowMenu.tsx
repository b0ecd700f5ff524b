import { Archive, CircleCheck, Clock, Ellipsis, SquareCheck } from 'lucide-react';
import type { Toggle } from '@/api/generated/types';
import { Menu } from '@/ui/Menu';
import type { Selection } from '../bulk/useSelection';
import { useToggleWrites } from '../saving/useToggleWrites';

interface Props {
  toggle: Toggle;
  updateDisabledReason: string | undefined;
  archiveDisabledReason: string | undefined;
  onArchive: (toggle: Toggle) => void;
  /** Selects the row, on screens without checkboxes; undefined if it is already selected. */
  onSelect: Selection['set'] | undefined;
}

export function RowMenu({ toggle, updateDisabledReason, archiveDisabledReason, onArchive, onSelect }: Props) {
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
          disabledReason: updateDisabledReason,
          onSelect: () => void setStale(toggle, !toggle.stale),
        },
        ...(onSelect
          ? [
              {
                id: 'select',
                label: 'Select',
                icon: <SquareCheck size={16} strokeWidth={1.75} aria-hidden="true" />,
                onSelect: () => onSelect({ name: toggle.name, checked: true, range: false }),
              },
            ]
          : []),
        { separator: true },
        {
          id: 'archive',
          label: 'Archive',
          icon: <Archive size={16} strokeWidth={1.75} aria-hidden="true" />,
          tone: 'danger',
          disabledReason: archiveDisabledReason,
          onSelect: () => onArchive(toggle),
        },
      ]}
    />
  );
}
