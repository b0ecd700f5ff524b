// Switch that shows a pending state at once and changes when the server confirms.
import { useState } from 'react';
import type { Toggle } from '@/api/generated/types';
import { holdPrompt, useHoldAction, useIsHeld } from '@/domain/holds/holds';
import { ENABLED_TEXT, Switch } from '@/ui/Switch';
import { useToggleWrites } from '../saving/useToggleWrites';

/** Text of the switch while only a hold can switch the toggle off. */
const HOLD_TEXT = ['Hold off for SDKs…', 'Held off for SDKs'] as const;
const HELD_REASON = 'Release the hold in the message at the top of the page.';

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
  const hold = useHoldAction();
  const isHeld = useIsHeld(toggle.name);

  async function flip(enabled: boolean) {
    setPending(true);
    await setEnabled(toggle, enabled);
    setPending(false);
  }

  if (hold.isOnlyWay && (toggle.enabled || isHeld)) {
    return (
      <Switch
        checked={!isHeld}
        label={isHeld ? `${toggle.name} is held off for SDKs` : `Hold ${toggle.name} off for SDKs…`}
        {...(showLabel && { stateText: HOLD_TEXT, isBlock })}
        onChange={() => void holdPrompt.ask(toggle.name)}
        disabledReason={isHeld ? HELD_REASON : hold.disabledReason}
      />
    );
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
