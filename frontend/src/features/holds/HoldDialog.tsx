import { type ReactNode, useId } from 'react';
import { createHold, holdEffect, holds } from '@/api/endpoints';
import { useNewerServer } from '@/api/environment';
import type { HoldPreview } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { pushInfo } from '@/api/notices';
import { ALREADY_OFF, holdPrompt } from '@/domain/holds/holds';
import { useStore } from '@/lib/store';
import { useForm } from '@/shared/useForm';
import { Count } from '@/ui/Count';
import { PromptDialog } from '@/ui/PromptDialog';
import { SelectField } from '@/ui/Select';
import { TextField } from '@/ui/TextField';

const DURATIONS = [
  { value: '1800', label: '30 minutes' },
  { value: '7200', label: '2 hours' },
  { value: '28800', label: '8 hours' },
  { value: '86400', label: '24 hours' },
] as const;

/** Holds a toggle off for SDKs, with a reason and an end. One instance for the page. */
export function HoldDialog() {
  const state = useStore(holdPrompt.store);
  return state && <HoldForm key={state.number} toggle={state.question} />;
}

function HoldForm({ toggle }: { toggle: string }) {
  const { data: effect } = useRead(holdEffect(toggle));
  const { send } = useWrite();
  const isInSeveral = (useNewerServer()?.environments.length ?? 0) > 1;
  const form = useId();
  // The form stays while the dialog closes.
  const isOpen = useStore(holdPrompt.store)?.open ?? false;
  const { formProps, fieldsProps, bind, input } = useForm({
    start: { reason: '', seconds: '7200' as (typeof DURATIONS)[number]['value'] },
    rules: () => ({}),
    save: async ({ reason, seconds }) => {
      if (disabledReason !== undefined) return false;
      return holdPrompt.run(async () => {
        const body = { toggle, reason, seconds: Number(seconds) };
        await send(createHold, { body, refreshes: [holds], inline: true });
        pushInfo(`${toggle} is held off for SDKs`);
        return true;
      });
    },
    guardsLeave: isOpen,
  });
  const missingReason = input.reason.trim() === '' ? 'Enter a reason.' : undefined;
  const disabledReason = effect?.isOff ? ALREADY_OFF : missingReason;
  return (
    <PromptDialog
      prompt={holdPrompt}
      title={`Hold ${toggle} off for SDKs`}
      submitLabel="Hold off"
      tone="danger"
      disabledReason={disabledReason}
      onSubmit={{ form }}
    >
      <form {...formProps} id={form} className="grid gap-4">
        <p className="text-muted">
          SDKs that get toggles from Flagdeck get <b className="wrap-anywhere text-text">{toggle}</b> as off
          {isInSeveral && ' in all environments, not only in the one that this page shows'}. The flag service is not
          changed.
        </p>
        <fieldset {...fieldsProps} className="grid min-w-0 gap-4">
          <TextField label="Reason" help="All users see it." required {...bind('reason')} />
          <SelectField label="Duration" options={DURATIONS} {...bind('seconds')} />
        </fieldset>
        {effect && <Effect effect={effect} />}
      </form>
    </PromptDialog>
  );
}

function Effect({ effect }: { effect: HoldPreview }) {
  const off = effect.children.filter(({ turnsOn }) => !turnsOn).map(({ name }) => name);
  const on = effect.children.filter(({ turnsOn }) => turnsOn).map(({ name }) => name);
  return (
    <ul className="grid list-disc gap-1 pl-5 text-muted">
      {effect.instances !== null && (
        <Fact>
          Reaches {effect.hasMoreInstances && 'more than '}
          <Count value={effect.instances} noun="SDK instance" />. SDKs that get toggles elsewhere do not see the hold.
        </Fact>
      )}
      {effect.isOff && <Fact>It is already off for all of them.</Fact>}
      {off.length > 0 && <Fact>Toggles that depend on it are off too: {off.join(', ')}.</Fact>}
      {on.length > 0 && <Fact>Toggles that require it to be off can be on: {on.join(', ')}.</Fact>}
      {effect.withoutEffect.length > 0 && (
        <Fact>
          No effect for tokens that do not get it: {effect.withoutEffect.map((token) => `…${token}`).join(', ')}.
        </Fact>
      )}
      {effect.forwardsBrowsers && (
        <Fact>
          Requests of browsers are forwarded to the flag service. While it does not respond, browsers keep their last
          results.
        </Fact>
      )}
    </ul>
  );
}

function Fact({ children }: { children: ReactNode }) {
  return <li className="wrap-anywhere">{children}</li>;
}
