import { useState } from 'react';
import { pendingSwitch } from '@/domain/toggles/confirmSwitch';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { useStore } from '@/lib/store';
import { LazyBoundary } from '@/ui/LazyBoundary';

const SwitchConfirmation = lazyInIdle(() => import('./SwitchConfirmation').then((part) => part.SwitchConfirmation));

/** Without a confirmation the toggle is not switched. */
const refuse = () => pendingSwitch.get()?.answer(false);

/** Loads the confirmation dialog when it is first needed. */
export function SwitchConfirmationHost() {
  const pending = useStore(pendingSwitch);
  const [isNeeded, setNeeded] = useState(false);
  if (pending && !isNeeded) setNeeded(true);
  return isNeeded ? (
    <LazyBoundary open={pending !== undefined} onLoadError={refuse}>
      <SwitchConfirmation />
    </LazyBoundary>
  ) : null;
}
