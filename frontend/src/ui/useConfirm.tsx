import { usePrompt } from '@/lib/prompt';
import { type Confirmation, ConfirmDialog } from './ConfirmDialog';

/**
 * Asks for confirmation before an action on a subject. `ask` opens the dialog, and resolves with true after the action
 * has succeeded. `describe` is called with each render, so that the dialog shows current data.
 */
export function useConfirm<Subject = void>(describe: (subject: Subject) => Confirmation) {
  const [prompt, state] = usePrompt<Subject>();
  return {
    ask: prompt.ask,
    isOpen: state?.open ?? false,
    dialog: state && <ConfirmDialog prompt={prompt} {...describe(state.question)} />,
  };
}
