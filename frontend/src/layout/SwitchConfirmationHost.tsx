import { lazyInIdle } from '@/lib/lazyInIdle';
import { useStore } from '@/lib/store';
import { switchPrompt } from '@/shared/confirmSwitch';
import { LazyBoundary } from '@/ui/LazyBoundary';

const SwitchConfirmation = lazyInIdle(() => import('./SwitchConfirmation').then((part) => part.SwitchConfirmation));

/** Loads the confirmation dialog when it is first needed. Without it, the toggle is not switched. */
export function SwitchConfirmationHost() {
  const state = useStore(switchPrompt.store);
  return state ? (
    <LazyBoundary open={state.open} onLoadError={switchPrompt.close}>
      <SwitchConfirmation />
    </LazyBoundary>
  ) : null;
}
