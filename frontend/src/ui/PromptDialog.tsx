import type { ReactNode } from 'react';
import type { Prompt } from '@/lib/prompt';
import { useStore } from '@/lib/store';
import { Button } from './Button';
import { BUSY } from './busyReason';
import { Dialog } from './Dialog';
import { FailureText } from './FailureText';

interface Props {
  prompt: Pick<Prompt<unknown, unknown>, 'store' | 'close'>;
  title: string;
  /** The action, as a verb. */
  submitLabel: string;
  tone?: 'danger' | undefined;
  /** Reason why the dialog cannot be submitted yet. */
  disabledReason?: string | undefined;
  /** The button submits the form with this id, or calls a function. */
  onSubmit: { form: string } | (() => void);
  children: ReactNode;
}

/** The dialog of a prompt: its content, the error of the last request, and the Cancel and submit buttons. */
export function PromptDialog({ prompt, title, submitLabel, tone, disabledReason, onSubmit, children }: Props) {
  const { open = false, busy = false, failure } = useStore(prompt.store) ?? {};
  return (
    <Dialog
      open={open}
      busy={busy}
      onClose={prompt.close}
      title={title}
      actions={
        <>
          <Button disabledReason={busy ? BUSY : undefined} onClick={prompt.close}>
            Cancel
          </Button>
          <Button
            variant={tone === 'danger' ? 'dangerPrimary' : 'primary'}
            busy={busy}
            disabledReason={disabledReason}
            {...(typeof onSubmit === 'function' ? { onClick: onSubmit } : { type: 'submit', form: onSubmit.form })}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      {children}
      {failure && <FailureText failure={failure} />}
    </Dialog>
  );
}
