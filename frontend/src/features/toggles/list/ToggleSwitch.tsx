// Switch that shows a pending state at once and changes when the server confirms.
import { useState } from 'react';
import type { Toggle } from '@/api/generated/types';
import { ENABLED_TEXT, Switch } from '@/ui/Switch';
import { useToggleWrites } from '../saving/useToggleWrites';

interface Props {
  toggle: Toggle;
  disabledReason: string | undefined;
  showLabel?: boolean;
  /** Fills the row: see `Switch`. */
  isBlock?: boolean;
}

export function ToggleSwitch({ toggle, disabledReason, showLabel = false, isBlock = false }: Props) {
  const { setEnabled } = useToggleWrites();
  const [pending, setPending] = useState(false);

  async function flip(enabled: boolean) {
    setPending(true);
    await setEnabled(toggle, enabled);
    setPending(false);
  }

  return (
    <Switch
      checked={toggle.enabled}
      pending={pending}
      label={showLabel ? 'Enabled' : toggle.name}
      {...(showLabel && { stateText: ENABLED_TEXT, isBlock })}
      onChange={(enabled) => void flip(enabled)}
      disabledReason={disabledReason}
    />
  );
}
