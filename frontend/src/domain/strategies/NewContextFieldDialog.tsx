import { useId } from 'react';
import type { Prompt } from '@/lib/prompt';
import { useStore } from '@/lib/store';
import { lazyPage } from '@/ui/lazy';
import { PromptDialog } from '@/ui/PromptDialog';

const ContextFieldForm = lazyPage(() => import('./ContextFieldForm'), 'ContextFieldForm');

interface Props {
  /** Asks with a proposed name, which may be empty. Answers with the name of the new field. */
  prompt: Prompt<string, string>;
}

/** Creates a context field on a page with unsaved changes, which the page of context fields would discard. */
export function NewContextFieldDialog({ prompt }: Props) {
  const form = useId();
  const { open: isOpen = false, question: name = '' } = useStore(prompt.store) ?? {};
  return (
    <PromptDialog prompt={prompt} title="New context field" submitLabel="Create" onSubmit={{ form }}>
      {/* Mounted on each opening, so that the form starts again. */}
      {isOpen && <ContextFieldForm id={form} prompt={prompt} name={name} />}
    </PromptDialog>
  );
}
