import type { Toggle } from '@/api/generated/types';
import { ActiveIcon, ChevronDownIcon, StaleIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { useToggleWrites } from '../saving/useToggleWrites';

interface Props {
  toggle: Toggle;
  readOnlyReason?: string | undefined;
}

export function StatusMenu({ toggle, readOnlyReason }: Props) {
  const items = useStatusChoices(toggle);
  return <Menu label="Status" trigger={{ text: <StatusText /> }} items={items} disabledReason={readOnlyReason} />;
}

/** Returns the entries of a menu that set the status. */
export function useStatusChoices(toggle: Toggle) {
  const { setStale } = useToggleWrites();
  const choice = (stale: boolean, label: string, Icon: typeof StaleIcon) => ({
    id: String(stale),
    label,
    icon: <Icon />,
    checked: toggle.stale === stale,
    onSelect: () => {
      if (toggle.stale !== stale) void setStale(toggle, stale);
    },
  });
  return [choice(false, 'Set toggle Active', ActiveIcon), choice(true, 'Mark toggle as Stale', StaleIcon)];
}

export function StatusText() {
  return (
    <>
      Status
      <ChevronDownIcon className="-mr-1" />
    </>
  );
}
