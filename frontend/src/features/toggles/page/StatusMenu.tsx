import { ChevronDown, CircleCheck, Clock } from 'lucide-react';
import type { Toggle } from '@/api/generated/types';
import { Menu } from '@/ui/Menu';
import { useToggleWrites } from '../saving/useToggleWrites';

interface Props {
  toggle: Toggle;
  readOnlyReason?: string | undefined;
}

export function StatusMenu({ toggle, readOnlyReason }: Props) {
  const { setStale } = useToggleWrites();
  const choice = (stale: boolean, label: string, Icon: typeof Clock) => ({
    id: String(stale),
    label,
    icon: <Icon size={16} strokeWidth={1.75} aria-hidden="true" />,
    checked: toggle.stale === stale,
    onSelect: () => {
      if (toggle.stale !== stale) void setStale(toggle, stale);
    },
  });
  return (
    <Menu
      label="Status"
      trigger={{ text: <StatusText /> }}
      items={[choice(false, 'Set toggle Active', CircleCheck), choice(true, 'Mark toggle as Stale', Clock)]}
      disabledReason={readOnlyReason}
    />
  );
}

function StatusText() {
  return (
    <>
      Status
      <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" className="-mr-1" />
    </>
  );
}
