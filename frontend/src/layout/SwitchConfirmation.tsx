import { EFFECT_WORDS } from '@/domain/impact/effectWords';
import { LostCalls } from '@/domain/impact/LostCalls';
import { switchPrompt, useEnvironmentName } from '@/domain/toggles/confirmSwitch';
import { useStore } from '@/lib/store';
import { capitalise } from '@/lib/text';
import { ConfirmDialog } from '@/ui/ConfirmDialog';

/** Asks for confirmation before a change takes effect for users. One instance for the page. */
export function SwitchConfirmation() {
  const question = useStore(switchPrompt.store)?.question;
  const environment = useEnvironmentName();
  if (!question) return null;
  const { subject, action, effect, impact, switchedOff } = question;
  return (
    <ConfirmDialog
      prompt={switchPrompt}
      title={`${action} ${subject} in ${environment}`}
      body={
        <>
          {impact !== undefined && (
            <p className="mb-2 wrap-anywhere text-text">
              {effect && `${capitalise(EFFECT_WORDS[effect])}. `}
              <span className="tabular-nums">{impact}</span>
            </p>
          )}
          {switchedOff && (
            <p className="mb-2 text-text tabular-nums empty:hidden">
              <LostCalls names={switchedOff} />
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
