import type { Constraint } from '@/api/generated/types';
import { usePrompt } from '@/lib/prompt';
import { useLatestCallback } from '@/lib/useLatestCallback';
import { getSchedule, type Schedule } from './schedule';

/**
 * Asks for the schedule of constraints, and calls `onAnswer` of the latest render with the answer: a change of another user may
 * arrive while the dialog is open. `ask` is the same function in each render.
 */
export function useSchedule(constraints: readonly Constraint[], onAnswer: (schedule: Schedule) => void) {
  const [prompt] = usePrompt<Schedule, Schedule>();
  const answer = useLatestCallback(onAnswer);
  const ask = useLatestCallback(() => {
    void prompt.ask(getSchedule(constraints)).then((schedule) => schedule && answer(schedule));
  });
  return { prompt, ask };
}
