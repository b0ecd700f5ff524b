import type { Toggle } from '@/api/generated/types';
import { copyActions } from '@/shared/CopyMenu';
import { ActiveIcon, ArchiveIcon, MoreIcon, SelectIcon, StaleIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import type { Selection } from '../bulk/useSelection';
import { useToggleWrites } from '../saving/useToggleWrites';
import { copiedToggle } from './copiedToggle';

interface Props {
  toggle: Toggle;
  /** Hides the entries that change the toggle. */
  isReadOnly: boolean;
  updateDisabledReason: string | undefined;
  archiveDisabledReason: string | undefined;
  onArchive: (toggle: Toggle) => void;
  /** Selects the row, on screens without checkboxes; undefined if it is already selected. */
  onSelect: Selection['set'] | undefined;
}

export function RowMenu({ toggle, isReadOnly, ...options }: Props) {
  const { updateDisabledReason, archiveDisabledReason, onArchive, onSelect } = options;
  const { setStale } = useToggleWrites();
  const StatusIcon = toggle.stale ? ActiveIcon : StaleIcon;
  const copyItems = copyActions(copiedToggle(toggle));
  return (
    <Menu
      label={`Actions for ${toggle.name}`}
      trigger={{ icon: <MoreIcon size={17} /> }}
      items={
        isReadOnly
          ? copyItems
          : [
              {
                id: 'status',
                label: toggle.stale ? 'Set toggle Active' : 'Mark toggle as Stale',
                icon: <StatusIcon />,
                disabledReason: updateDisabledReason,
                onSelect: () => void setStale(toggle, !toggle.stale),
              },
              ...(onSelect
                ? [
                    {
                      id: 'select',
                      label: 'Select',
                      icon: <SelectIcon />,
                      onSelect: () => onSelect({ name: toggle.name, checked: true, range: false }),
                    },
                  ]
                : []),
              { separator: true },
              ...copyItems,
              { separator: true },
              {
                id: 'archive',
                label: 'Archive',
                icon: <ArchiveIcon />,
                tone: 'danger',
                disabledReason: archiveDisabledReason,
                onSelect: () => onArchive(toggle),
              },
            ]
      }
    />
  );
}
