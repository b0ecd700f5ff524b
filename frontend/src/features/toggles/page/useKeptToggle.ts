// A toggle that disappears while it is edited stays on the page, so that the unsaved edits are not lost with it.
import type { Toggle } from '@/api/generated/types';
import { useHasUnsavedWork } from '@/lib/useLeaveGuard';
import { useKeptItem } from '@/shared/useKeptItem';
import type { ToggleResult } from './useToggle';

interface KeptToggle {
  /** The toggle when the user last edited it; undefined unless it has disappeared and there are unsaved edits. */
  kept: Toggle | undefined;
  discard: () => void;
  /** Must be called before each edit. */
  keep: () => void;
}

export function useKeptToggle(name: string, found: ToggleResult): KeptToggle {
  const hasUnsavedWork = useHasUnsavedWork();
  const { kept, keep, discard } = useKeptItem(found.state === 'live' ? found.toggle : undefined);
  const isKept = found.state !== 'live' && hasUnsavedWork && kept?.name === name;
  return { kept: isKept ? kept : undefined, keep, discard };
}
