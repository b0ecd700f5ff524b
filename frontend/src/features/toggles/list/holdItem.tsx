import { holdPrompt } from '@/domain/holds/holds';
import { HoldIcon } from '@/ui/icons';

/** The menu entry that holds a toggle off for SDKs. */
export const holdItem = (name: string, disabledReason: string | undefined) => ({
  id: 'hold',
  label: 'Hold off for SDKs…',
  icon: <HoldIcon />,
  disabledReason,
  onSelect: () => void holdPrompt.ask(name),
});
