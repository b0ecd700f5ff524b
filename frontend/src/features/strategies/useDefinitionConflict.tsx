// The question that a save asks when somebody else changed the same definition meanwhile.
import { type ReactNode, useState } from 'react';
import { events } from '@/api/endpoints';
import type { Event, StrategyDefinition } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { Part } from '@/ui/Part';

const ConflictDialog = lazyInIdle(() => import('./components/ConflictDialog').then((part) => part.ConflictDialog));

interface Collision {
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

type Decision = 'mine' | 'theirs';
/** Answers undefined when nothing is to be saved for now. */
export type Ask = (collision: Collision) => Promise<Decision | undefined>;

export interface Question extends Collision {
  /** The newest change that the server tells of; undefined where it does not. */
  event: Event | undefined;
  answer: (decision: Decision | undefined) => void;
}

export function useDefinitionConflict(): { ask: Ask; conflict: ReactNode } {
  const { look } = useWrite();
  const [question, setQuestion] = useState<Question>();
  const [open, setOpen] = useState(false);

  async function ask(collision: Collision): Promise<Decision | undefined> {
    const log = await look(events, { inline: true }).catch(() => undefined);
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
    <Part open={open} onFault={() => question.answer(undefined)}>
      <ConflictDialog open={open} question={question} />
    </Part>
  );
  return { ask, conflict };
}
