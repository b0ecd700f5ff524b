import { useState } from 'react';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { useStore } from '@/lib/store';
import { pendingSwitch } from '@/shared/confirmSwitch';
import { Part } from '@/ui/Part';

const SwitchQuestion = lazyInIdle(() => import('./SwitchQuestion').then((part) => part.SwitchQuestion));

/** What cannot be asked is not done. */
const refuse = () => pendingSwitch.get()?.answer(false);

/** There from the first question on: its code is not to come before the page's own. */
export function SwitchQuestionHost() {
  const pending = useStore(pendingSwitch);
  const [asked, setAsked] = useState(false);
  if (pending && !asked) setAsked(true);
  return asked ? (
    <Part open={pending !== undefined} onFault={refuse}>
      <SwitchQuestion />
    </Part>
  ) : null;
}
