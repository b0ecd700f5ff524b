import { useState } from 'react';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { useStore } from '@/lib/store';
import { pendingQuestion } from '@/shared/confirmSwitch';
import { LazyBoundary } from '@/ui/LazyBoundary';

const SwitchConfirmation = lazyInIdle(() => import('./SwitchConfirmation').then((part) => part.SwitchConfirmation));

/** What cannot be asked is not done. */
const refuse = () => pendingQuestion.get()?.answer(false);

/** There from the first question on: its code is not to come before the page's own. */
export function SwitchConfirmationHost() {
  const pending = useStore(pendingQuestion);
  const [asked, setAsked] = useState(false);
  if (pending && !asked) setAsked(true);
  return asked ? (
    <LazyBoundary open={pending !== undefined} onLoadError={refuse}>
      <SwitchConfirmation />
    </LazyBoundary>
  ) : null;
}
