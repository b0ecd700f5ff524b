import { leavePrompt } from '@/lib/leaveGuard';
import { useStore } from '@/lib/store';
import { LeaveDialog } from './LeaveDialog';

/** Asks before a navigation discards unsaved work. One instance for the page. */
export function LeaveConfirmation() {
  const prompt = useStore(leavePrompt.store);
  if (!prompt) return null;
  return <LeaveDialog key={prompt.number} open={prompt.open} saving={prompt.busy} onClose={leavePrompt.close} />;
}
