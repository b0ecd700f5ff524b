import { type ReactNode, useId } from 'react';
import type { PermissionName } from '@/api/generated/types';
import { usePermission, useProfile } from '@/api/permissions';
import { useCloseGuard } from '@/lib/useLeaveGuard';
import { Button } from '@/ui/Button';
import { BUSY } from '@/ui/busyReason';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { FailureText } from '@/ui/FailureText';
import { ReadOnlyIcon } from '@/ui/icons';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { LinkButton } from './LinkButton';
import type { FormState } from './useForm';

interface Props {
  form: FormState;
  /** Label of the submit button, a verb. */
  submitLabel: string;
  /** Permission needed to save. Without it, the fields are disabled and the reason is shown above them. */
  permission: PermissionName;
  /** The form creates an item. Without the permission, the reason is shown instead of its fields, unless they were edited. */
  isNew?: boolean;
  /** Reason why the form cannot be submitted yet, besides the permission. */
  disabledReason?: string | undefined;
  /** Ask before the window is closed or reloaded even without changes. */
  alwaysGuardsClose?: boolean;
  /** What submitting the form does, above its buttons. */
  effect?: ReactNode;
  /** Another way to submit the form. */
  alternative?: { label: string; onSubmit: () => void };
  /** Target of the Cancel link. */
  cancel: string;
  /** Below the buttons: what appears while the user types must not move them. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A form with its fields, the error of the last save, and the Save and Cancel buttons. */
export function Form({
  form: { formProps, failure, saving, isDirty },
  submitLabel,
  permission,
  isNew = false,
  disabledReason,
  alwaysGuardsClose = false,
  effect,
  alternative,
  cancel,
  footer,
  children,
}: Props) {
  const effectId = useId();
  const permissionReason = usePermission(permission);
  const blockedReason = permissionReason ?? disabledReason;
  const lastingReason = usePermission(permission, { ignoresOutage: true });
  // Not while the profile is loading: a note that appears briefly would shift the fields.
  const readOnlyReason = useProfile() && lastingReason;
  useCloseGuard(alwaysGuardsClose && readOnlyReason === undefined);
  if (readOnlyReason !== undefined && isNew && !isDirty) return <NotAllowed reason={readOnlyReason} back={cancel} />;
  return (
    <form {...formProps} data-new={isNew || undefined} className="grid max-w-180 gap-6">
      {readOnlyReason !== undefined && <ReadOnlyNote reason={readOnlyReason} />}
      <fieldset disabled={saving || readOnlyReason !== undefined} className="grid min-w-0 gap-6">
        {children}
      </fieldset>
      {failure && <FailureText failure={failure} className="rounded-control bg-danger-soft px-4 py-3" />}
      <div className="flex flex-wrap items-center gap-2.5">
        {effect && (
          <div id={effectId} className="mb-1.5 min-w-0 basis-full">
            {effect}
          </div>
        )}
        <Button
          type="submit"
          variant="primary"
          busy={saving}
          disabledReason={blockedReason}
          aria-describedby={effect && blockedReason === undefined ? effectId : undefined}
        >
          {submitLabel}
        </Button>
        {alternative && (
          <Button disabledReason={blockedReason ?? (saving ? BUSY : undefined)} onClick={alternative.onSubmit}>
            {alternative.label}
          </Button>
        )}
        <LinkButton to={cancel}>Cancel</LinkButton>
      </div>
      {footer}
    </form>
  );
}

/** Shown instead of a form that the user can only leave. */
function NotAllowed({ reason, back }: { reason: string; back: string }) {
  return (
    <Card>
      <EmptyState
        icon={<ReadOnlyIcon size={20} />}
        title="Creating is disabled"
        actions={<LinkButton to={back}>Back</LinkButton>}
      >
        {reason}
      </EmptyState>
    </Card>
  );
}
