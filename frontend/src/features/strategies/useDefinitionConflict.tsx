// The question that a save asks when somebody else changed the same definition meanwhile.
import { type ReactNode, useState } from 'react';
import { events } from '@/api/endpoints';
import type { Event, StrategyDefinition } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { LazyBoundary } from '@/ui/LazyBoundary';

const DefinitionConflictDialog = lazyInIdle(() =>
  import('./components/DefinitionConflictDialog').then((part) => part.DefinitionConflictDialog),
);

interface DefinitionConflict {
  name: string;
  /** The definition before both edits. */
  base: StrategyDefinition;
  /** The definition as this user would save it. */
  mine: StrategyDefinition;
  /** What somebody else made of it; undefined where it was deleted. */
  stored: StrategyDefinition | undefined;
  /** The fields that both changed. */
  contested: readonly string[];
}

type Resolution = 'mine' | 'theirs';
/** Answers undefined when nothing is to be saved for now. */
export type ResolveConflict = (collision: DefinitionConflict) => Promise<Resolution | undefined>;

export interface PendingConflict extends DefinitionConflict {
  /** The newest change that the server tells of; undefined where it does not. */
  event: Event | undefined;
  answer: (decision: Resolution | undefined) => void;
}

export function useDefinitionConflict(): { ask: ResolveConflict; conflict: ReactNode } {
  const { fetchFresh } = useWrite();
  const [question, setQuestion] = useState<PendingConflict>();
  const [open, setOpen] = useState(false);

  async function ask(collision: DefinitionConflict): Promise<Resolution | undefined> {
    const log = await fetchFresh(events, { inline: true }).catch(() => undefined);
    const event = log?.events
      .filter(({ type, data }) => type.startsWith('strategy-') && data?.['name'] === collision.name)
      .reduce<Event | undefined>((newest, one) => (newest && newest.id > one.id ? newest : one), undefined);
    return new Promise((resolve) => {
      setQuestion({
        ...collision,
        event,
        answer: (decision) => {
          setOpen(false);
          resolve(decision);
        },
      });
      setOpen(true);
    });
  }

  const conflict = question && (
    <LazyBoundary open={open} onLoadError={() => question.answer(undefined)}>
      <DefinitionConflictDialog open={open} question={question} />
    </LazyBoundary>
  );
  return { ask, conflict };
}
