import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { needs, usePermission } from '@/api/permissions';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import type { FormState } from './useForm';

interface Props {
  form: FormState;
  /** What the button does, as a verb. */
  submitLabel: string;
  /** What whoever sends it must be allowed to do. */
  permission: string;
  /** Why it cannot be sent now, whoever does. */
  disabledReason?: string | undefined;
  /** Where Cancel leads. */
  cancel: string;
  children: ReactNode;
}

/** The fields, what went wrong with all of them, and the two ways out. */
export function Form({
  form: { element, failure, saving, submit },
  submitLabel,
  permission,
  disabledReason,
  cancel,
  children,
}: Props) {
  const mayI = usePermission(permission);
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
      {children}
      {failure && (
        <p role="alert" tabIndex={-1} className="rounded-control bg-danger-soft px-4 py-3 text-danger">
          {failure.message}
        </p>
      )}
      <div className="flex flex-wrap gap-2.5">
        <Button
          type="submit"
          variant="primary"
          busy={saving}
          disabledReason={mayI ? disabledReason : needs(permission)}
        >
          {submitLabel}
        </Button>
        <Link to={cancel} className={buttonClass()}>
          Cancel
        </Link>
      </div>
    </form>
  );
}
