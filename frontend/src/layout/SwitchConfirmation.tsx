import { switchPrompt, useEnvironmentName } from '@/domain/toggles/confirmSwitch';
import { useStore } from '@/lib/store';
import { ConfirmDialog } from '@/ui/ConfirmDialog';

/** Asks for confirmation before a toggle is switched. One instance for the page, used by all switches. */
export function SwitchConfirmation() {
  const question = useStore(switchPrompt.store)?.question;
  const environment = useEnvironmentName();
  if (!question) return null;
  const { subject, on } = question;
  const action = typeof on === 'number' ? 'Set' : SWITCH_ACTIONS[`${on}`];
  const value = typeof on === 'number' ? ` to ${on} %` : '';
  return (
    <ConfirmDialog
      prompt={switchPrompt}
      title={`${action} ${subject}${value} in ${environment}`}
      body={
        <p>
          This affects users of <b className="wrap-anywhere text-text">{environment}</b> as soon as their applications
          fetch the toggles again.
        </p>
      }
      confirmLabel={`${action}${value}`}
      action={async () => undefined}
    />
  );
}

const SWITCH_ACTIONS = { true: 'Enable', false: 'Disable' };
