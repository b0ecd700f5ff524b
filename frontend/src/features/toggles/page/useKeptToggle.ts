// A toggle that disappears while it is edited stays on the page, so that the unsaved edits are not lost with it.
import { useState } from 'react';
import type { Toggle } from '@/api/generated/types';
import { useHasUnsavedWork } from '@/lib/leaveGuard';
import type { ToggleResult } from './useToggle';

interface KeptToggle {
  /** The toggle as it was last known; undefined unless it has disappeared and there are unsaved edits. */
  kept: Toggle | undefined;
  discard: () => void;
}

export function useKeptToggle(name: string, found: ToggleResult): KeptToggle {
  const hasUnsavedWork = useHasUnsavedWork();
  const [last, setLast] = useState<Toggle>();
  const isLive = found.state === 'live';
  if (isLive && found.toggle !== last) setLast(found.toggle);
  const isKept = !isLive && hasUnsavedWork && last?.name === name;
  return { kept: isKept ? last : undefined, discard: () => setLast(undefined) };
}
