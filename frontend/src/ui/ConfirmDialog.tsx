import type { ReactNode } from 'react';
import type { Prompt } from '@/lib/prompt';
import { PromptDialog } from './PromptDialog';

export interface Confirmation {
  title: string;
  /** The effect, and the affected object. */
  body: ReactNode;
  /** The action, as a verb. */
  confirmLabel: string;
  tone?: 'danger';
  /** Reason why the action cannot be confirmed yet. */
  disabledReason?: string | undefined;
  /** An error that it throws is shown in the dialog, which stays open. */
  action: () => Promise<void>;
}

interface Props extends Confirmation {
  prompt: Pick<Prompt<unknown>, 'store' | 'run' | 'close'>;
}

/** Asks for confirmation of an action and waits for its request. `useConfirm` creates it with its prompt. */
export function ConfirmDialog({ prompt, title, body, confirmLabel, tone, disabledReason, action }: Props) {
  const confirm = async (): Promise<true> => {
    await action();
    return true;
  };
  return (
    <PromptDialog
      prompt={prompt}
      title={title}
      submitLabel={confirmLabel}
      tone={tone}
      disabledReason={disabledReason}
      onSubmit={() => void prompt.run(confirm)}
    >
      <div className="text-muted">{body}</div>
    </PromptDialog>
  );
}
