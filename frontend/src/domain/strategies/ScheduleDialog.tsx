import { type ReactNode, useId } from 'react';
import type { Prompt } from '@/lib/prompt';
import { useStore } from '@/lib/store';
import { lazyPage } from '@/ui/lazy';
import { PromptDialog } from '@/ui/PromptDialog';
import type { Schedule } from './schedule';

const ScheduleForm = lazyPage(() => import('./ScheduleForm'), 'ScheduleForm');

interface Props {
  /** Asks with the present schedule. Answers with the new one, which is empty if it was removed. */
  prompt: Prompt<Schedule, Schedule>;
  /** Warnings about the applications that evaluate the schedule. */
  warning?: ReactNode;
}

/** Chooses from when and until when a rule counts. */
export function ScheduleDialog({ prompt, warning }: Props) {
  const form = useId();
  const { open: isOpen = false, question } = useStore(prompt.store) ?? {};
  return (
    <PromptDialog prompt={prompt} title="From / until" submitLabel="Set" onSubmit={{ form }}>
      {/* Mounted on each opening, so that the form starts again. */}
      {isOpen && question && <ScheduleForm id={form} schedule={question} warning={warning} onSubmit={prompt.answer} />}
    </PromptDialog>
  );
}
