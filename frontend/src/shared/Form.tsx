import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useDisabledReason, useLastingDisabledReason, useProfile } from '@/api/permissions';
import { useCloseGuard } from '@/lib/leaveGuard';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { FailureText } from '@/ui/FailureText';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import type { FormState } from './useForm';

interface Props {
  form: FormState;
  /** What the button does, as a verb. */
  submitLabel: string;
  /** Needed to save; without it the fields are disabled and the reason stands above them. */
  permission: string;
  /** The reason why it cannot be sent yet, apart from the permission. */
  disabledReason?: string | undefined;
  /** The browser asks before the window is closed or reloaded, also if nothing was typed. */
  alwaysGuardsClose?: boolean;
  /** Where Cancel leads. */
  cancel: string;
  children: ReactNode;
}

/** The fields, the error of the last save, and the buttons that save or leave. */
export function Form({
  form: { element, failure, saving, submit },
  submitLabel,
  permission,
  disabledReason,
  alwaysGuardsClose = false,
  cancel,
  children,
}: Props) {
  const permissionReason = useDisabledReason(permission);
  const lastingReason = useLastingDisabledReason(permission);
  // While the profile is loading nothing is certain, and a note that comes and goes would move the fields.
  const readOnlyReason = useProfile() && lastingReason;
  useCloseGuard(alwaysGuardsClose && readOnlyReason === undefined);
  return (
    <form
      ref={element}
      noValidate
      className="grid max-w-180 gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {readOnlyReason !== undefined && <ReadOnlyNote reason={readOnlyReason} />}
      <fieldset disabled={readOnlyReason !== undefined} className="grid min-w-0 gap-6">
        {children}
      </fieldset>
      {failure && <FailureText failure={failure} className="rounded-control bg-danger-soft px-4 py-3" />}
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant="primary" busy={saving} disabledReason={permissionReason ?? disabledReason}>
          {submitLabel}
        </Button>
        <Link to={cancel} className={buttonClass()}>
          Cancel
        </Link>
      </div>
    </form>
  );
}
