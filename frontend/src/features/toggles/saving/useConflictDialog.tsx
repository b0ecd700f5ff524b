// Dialog that asks which version to keep when a save conflicts with another change.
import { useEffect, useRef, useState } from 'react';
import { featureEvents } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { findNewestEvent } from '@/domain/events/findNewestEvent';
import { ConflictDialog } from './ConflictDialog';
import type { MergeConflict, Side } from './mergeToggle';

type Choices = ReadonlyMap<string, Side>;

interface ConflictRequest {
  /** Key of the dialog, so that each request starts without choices. */
  number: number;
  conflicts: readonly MergeConflict[];
  /** The latest event of the toggle, if the server has one. */
  event: Event | undefined;
  answer: (choices: Choices | undefined) => void;
}

export function useConflictDialog(name: string) {
  const { fetchFresh } = useWrite();
  const [request, setRequest] = useState<ConflictRequest>();
  const [open, setOpen] = useState(false);
  const cancel = useRef<() => void>(undefined);
  // Cancel on unmount, because other saves of the toggle wait for the decision.
  useEffect(() => () => cancel.current?.(), []);

  /** Resolves with the chosen side of each conflict, or undefined if the save is cancelled. */
  async function ask(conflicts: readonly MergeConflict[]): Promise<Choices | undefined> {
    const log = await fetchFresh(featureEvents(name), { inline: true }).catch(() => undefined);
    const event = findNewestEvent(log?.events ?? []);
    return new Promise((resolve) => {
      const answer = (choices: Choices | undefined) => {
        setOpen(false);
        resolve(choices);
      };
      setRequest((last) => ({ number: (last?.number ?? 0) + 1, conflicts, event, answer }));
      setOpen(true);
      cancel.current = () => resolve(undefined);
    });
  }

  const conflict = request && <ConflictDialog key={request.number} open={open} name={name} {...request} />;
  return { ask, conflict };
}
