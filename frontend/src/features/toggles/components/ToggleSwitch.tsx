// Answers the press at once with a pending mark, and flips when the server said yes.
import { useState } from 'react';
import type { Toggle } from '@/api/generated/types';
import { needs, usePermission } from '@/api/permissions';
import { Switch } from '@/ui/Switch';
import { useToggleWrites } from '../useToggleWrites';

interface Props {
  toggle: Toggle;
  showLabel?: boolean;
}

export function ToggleSwitch({ toggle, showLabel = false }: Props) {
  const { setEnabled } = useToggleWrites();
  const mayUpdate = usePermission('UPDATE_FEATURE');
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
      showLabel={showLabel}
      onChange={(enabled) => void flip(enabled)}
      disabledReason={mayUpdate ? undefined : needs('UPDATE_FEATURE')}
    />
  );
}
