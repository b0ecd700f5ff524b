// The question that a save asks when somebody else changed the same thing meanwhile.
import { useEffect, useRef, useState } from 'react';
import { featureEvents } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { LazyBoundary } from '@/ui/LazyBoundary';
import type { Collision, Side } from './merge';

const ConflictDialog = lazyInIdle(() => import('./components/ConflictDialog').then((part) => part.ConflictDialog));

type Choices = ReadonlyMap<string, Side>;

interface Question {
  /** Nothing that was chosen for one question is chosen for the next. */
  number: number;
  collisions: readonly Collision[];
  /** The newest change that the server tells of; undefined where it does not. */
  event: Event | undefined;
  answer: (choices: Choices | undefined) => void;
}

export function useConflict(name: string) {
  const { fetchFresh } = useWrite();
  const [question, setQuestion] = useState<Question>();
  const [open, setOpen] = useState(false);
  const callOff = useRef<() => void>(undefined);
  // A page that is left with the question open answers it: other saves of the toggle wait for it.
  useEffect(() => () => callOff.current?.(), []);

  /** Resolves with who wins what, or undefined when nothing is to be saved. */
  async function ask(collisions: readonly Collision[]): Promise<Choices | undefined> {
    const log = await fetchFresh(featureEvents(name), { inline: true }).catch(() => undefined);
    const event = log?.events.reduce<Event | undefined>(
      (newest, one) => (newest && newest.id > one.id ? newest : one),
      undefined,
    );
    return new Promise((resolve) => {
      const answer = (choices: Choices | undefined) => {
        setOpen(false);
        resolve(choices);
      };
      setQuestion((last) => ({ number: (last?.number ?? 0) + 1, collisions, event, answer }));
      setOpen(true);
      callOff.current = () => resolve(undefined);
    });
  }

  const conflict = question && (
    <LazyBoundary open={open} onLoadError={() => question.answer(undefined)}>
      <ConflictDialog key={question.number} open={open} name={name} {...question} />
    </LazyBoundary>
  );
  return { ask, conflict };
}
