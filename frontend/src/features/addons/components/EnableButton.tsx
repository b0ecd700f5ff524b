import { useState } from 'react';
import type { Addon } from '@/api/generated/types';
import { pushFailure } from '@/api/notices';
import { usePermission } from '@/api/permissions';
import { IconButton } from '@/ui/IconButton';
import { DisabledIcon, EnabledIcon } from '@/ui/icons';
import { useAddonSwitch } from '../addons';

/** Button that enables or disables an addon. The icon shows the current state. */
export function EnableButton({ addon: { id, enabled }, name }: { addon: Addon; name: string }) {
  const switchAddon = useAddonSwitch();
  const disabledReason = usePermission('UPDATE_ADDON');
  const [busy, setBusy] = useState(false);
  const Sign = enabled ? EnabledIcon : DisabledIcon;

  async function press() {
    if (busy) return;
    setBusy(true);
    try {
      await switchAddon(id, !enabled, name);
    } catch (thrown) {
      pushFailure(thrown);
    } finally {
      setBusy(false);
    }
  }

  return (
    <IconButton
      label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
      aria-busy={busy || undefined}
      icon={<Sign className={enabled ? 'text-on' : undefined} />}
      disabledReason={disabledReason}
      onClick={() => void press()}
    />
  );
}
