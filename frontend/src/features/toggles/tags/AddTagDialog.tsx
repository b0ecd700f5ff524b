import { useId } from 'react';
import type { Tag } from '@/api/generated/types';
import type { Prompt } from '@/lib/prompt';
import { useStore } from '@/lib/store';
import { lazyPage } from '@/ui/lazy';
import { PromptDialog } from '@/ui/PromptDialog';

const TagForm = lazyPage(() => import('./TagForm'), 'TagForm');

interface Props {
  prompt: Prompt<void>;
  /** Tags that the toggle already has, which are not suggested. */
  present: readonly Tag[];
  /** An error that it throws is shown in the dialog. */
  onAdd: (tag: Tag) => Promise<void>;
}

export function AddTagDialog({ prompt, present, onAdd }: Props) {
  const form = useId();
  const isOpen = useStore(prompt.store)?.open ?? false;
  const submit = (tag: Tag) =>
    prompt.run(async () => {
      await onAdd(tag);
      return true;
    });
  return (
    <PromptDialog prompt={prompt} title="Add tag" submitLabel="Add tag" onSubmit={{ form }}>
      {/* Mounted on each opening, so that the form starts empty. */}
      {isOpen && <TagForm id={form} present={present} onSubmit={submit} />}
    </PromptDialog>
  );
}
