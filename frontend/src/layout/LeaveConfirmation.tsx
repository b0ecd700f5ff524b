import { leavePrompt } from '@/lib/leaveGuard';
import { useStore } from '@/lib/store';
import { lazyDialog } from '@/ui/lazy';

const LeaveDialog = lazyDialog(() => import('./LeaveDialog'), 'LeaveDialog');

/** Asks before a navigation discards unsaved work. One instance for the page. */
export function LeaveConfirmation() {
  const { number, open = false, busy = false } = useStore(leavePrompt.store) ?? {};
  return <LeaveDialog key={number} open={open} saving={busy} onClose={leavePrompt.close} />;
}
