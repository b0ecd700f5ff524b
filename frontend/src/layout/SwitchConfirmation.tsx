import { switchPrompt, useEnvironmentName } from '@/domain/toggles/confirmSwitch';
import { useStore } from '@/lib/store';
import { ConfirmDialog } from '@/ui/ConfirmDialog';

/** Asks for confirmation before a change takes effect for users. One instance for the page. */
export function SwitchConfirmation() {
  const question = useStore(switchPrompt.store)?.question;
  const environment = useEnvironmentName();
  if (!question) return null;
  const { subject, action, impact } = question;
  return (
    <ConfirmDialog
      prompt={switchPrompt}
      title={`${action} ${subject} in ${environment}`}
      body={
        <>
          {impact !== undefined && (
            <p className="mb-2 wrap-anywhere text-text">
              More users may get the feature. <span className="tabular-nums">{impact}</span>
            </p>
          )}
          <p>
            This affects users of <b className="wrap-anywhere text-text">{environment}</b> as soon as their applications
            fetch the toggles again.
          </p>
        </>
      }
      confirmLabel={action}
      action={async () => undefined}
    />
  );
}
