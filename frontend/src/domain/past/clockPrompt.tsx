import { useCanReadRecords } from '@/api/recorded';
import { createPagePrompt } from '@/lib/prompt';
import { ClockIcon } from '@/ui/icons';
import type { MenuAction } from '@/ui/MenuItems';

/** Asks for the earlier time that the page shows. */
export const clockPrompt = createPagePrompt<void>();

/** Returns the menu entry that shows the page as of an earlier time. Nothing if the user cannot see earlier states. */
export function useClockItems(): MenuAction[] {
  if (!useCanReadRecords()) return [];
  return [{ id: 'clock', label: CLOCK_LABEL, icon: <ClockIcon />, onSelect: () => void clockPrompt.ask() }];
}

export const CLOCK_LABEL = 'As of an earlier time…';
