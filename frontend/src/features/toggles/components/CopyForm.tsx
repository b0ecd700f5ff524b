import { useRef } from 'react';
import { Link } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { TextField } from '@/ui/TextField';
import { needs } from '../permissions';
import { useToggleCopy } from '../useToggleCopy';

export function CopyForm({ source }: { source: Toggle }) {
  const element = useRef<HTMLFormElement>(null);
  const mayCreate = usePermission('CREATE_FEATURE');
  const form = useToggleCopy(source, element);
  return (
    <form
      ref={element}
      noValidate
      className="grid max-w-180 gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      <Card>
        <div className="grid gap-4">
          <p className="text-muted">
            The copy of <b className="wrap-anywhere text-text">{source.name}</b> starts with the same type, description,
            strategies and variants, and is {source.enabled ? 'enabled' : 'disabled'} as well.
          </p>
          <TextField
            label="Name"
            aria-required
            autoComplete="off"
            spellCheck={false}
            help="What applications ask for: a new, unique name. It cannot be changed later."
            value={form.name}
            error={form.nameError}
            onChange={form.setName}
            onBlur={() => void form.checkName()}
          />
          <Checkbox
            label="Replace groupId"
            help="Gradual rollouts get a group of their own, named after the copy. Without, the same users are in both."
            checked={form.replaceGroupId}
            onChange={form.setReplaceGroupId}
          />
        </div>
      </Card>
      {form.failure && (
        <p role="alert" tabIndex={-1} className="rounded-control bg-danger-soft px-4 py-3 text-danger">
          {form.failure.message}
        </p>
      )}
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant="primary" busy={form.saving} disabledReason={reason(mayCreate, form.nameError)}>
          Copy feature toggle
        </Button>
        <Link to={paths.toggle(source.name)} className={buttonClass()}>
          Cancel
        </Link>
      </div>
    </form>
  );
}

function reason(mayCreate: boolean, nameError: string | undefined): string | undefined {
  if (!mayCreate) return needs('CREATE_FEATURE');
  return nameError && 'Choose another name first.';
}
