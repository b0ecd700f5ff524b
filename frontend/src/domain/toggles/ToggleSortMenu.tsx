import type { Sorting } from '@/ui/GridColumn';
import { SortIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import type { ToggleViewProps } from './ToggleViewControls';
import { chooseSort, sortDirection, type ToggleSort, toggleSorts } from './toggleList';

type SortProps = Pick<ToggleViewProps, 'settings' | 'onChange'>;

/** Sort keys without a column, whose header would show the order. */
const HIDDEN_KEYS: readonly ToggleSort[] = ['stale', 'strategies'];

/** Sorts by any key. Choosing the current key again reverses the order, like a column header. */
export function ToggleSortMenu({ settings, onChange }: SortProps) {
  const label = toggleSorts.find(({ value }) => value === settings.sort)?.label;
  const isHidden = HIDDEN_KEYS.includes(settings.sort);
  return (
    <Menu
      label={isHidden ? `Sort by: ${label}` : 'Sort by'}
      trigger={{ icon: <SortIcon />, ...(isHidden && { text: <>{label}</> }) }}
      items={toggleSorts.map((sort) => ({
        id: sort.value,
        label: sort.label,
        checked: sort.value === settings.sort,
        onSelect: () => onChange(chooseSort(settings, sort.value)),
      }))}
    />
  );
}

/** Returns the sort order for the column headers. */
export function getSorting({ settings, onChange }: SortProps): Sorting {
  return {
    key: settings.sort,
    direction: sortDirection(settings),
    onSort: (key) => onChange(chooseSort(settings, key)),
  };
}
