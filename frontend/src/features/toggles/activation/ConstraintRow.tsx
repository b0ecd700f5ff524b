import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Constraint, ContextField } from '@/api/generated/types';
import { IconButton } from '@/ui/IconButton';
import { EditIcon, RemoveIcon } from '@/ui/icons';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { ConstraintFields } from './ConstraintFields';
import { ConstraintSentence } from './ConstraintSentence';
import { getReadOnlyReason, getUnknownFieldWarning, useOperators, validateConstraint } from './constraints';

interface Props {
  constraint: Constraint;
  number: number;
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onChange: (constraint: Constraint) => void;
  onRemove: () => void;
}

/** One constraint: a sentence that opens its editor. Without values, it is always open, because it cannot be saved. */
export function ConstraintRow({ constraint, number, fields, isOpen, onOpenChange, onChange, onRemove }: Props) {
  const row = useRef<HTMLFieldSetElement>(null);
  const operators = useOperators();
  const readOnlyReason = getReadOnlyReason(constraint, operators);
  const isEditing = isOpen || validateConstraint(constraint) !== undefined;

  function setOpen(next: boolean) {
    flushSync(() => onOpenChange(next));
    row.current?.querySelector<HTMLElement>('[data-values] input, [data-sentence]')?.focus();
  }

  return (
    <fieldset ref={row} aria-label={`Constraint ${number}`} className="flex min-w-0 items-start gap-1">
      {readOnlyReason !== undefined && (
        <div className="grid min-w-0 flex-1 gap-1 rounded-control bg-sunken px-3 py-2">
          <ConstraintSentence constraint={constraint} isExpandable />
          <p className="text-muted text-secondary">{readOnlyReason} It stays unchanged.</p>
        </div>
      )}
      {readOnlyReason === undefined && isEditing && (
        <ConstraintFields
          constraint={constraint}
          fields={fields}
          operators={operators}
          onFocus={() => onOpenChange(true)}
          onChange={onChange}
          onDone={() => setOpen(false)}
        />
      )}
      {readOnlyReason === undefined && !isEditing && (
        <button
          type="button"
          data-sentence
          onClick={() => setOpen(true)}
          className="flex min-h-control min-w-0 flex-1 items-center gap-2 rounded-control border border-line px-3 py-1.5 text-left transition-colors duration-120 hover:border-line-control touch:min-h-touch"
        >
          <VisuallyHidden>Edit constraint: </VisuallyHidden>
          <span className="grid min-w-0 flex-1 gap-1">
            <ConstraintSentence constraint={constraint} />
            <UnknownField warning={getUnknownFieldWarning(constraint.contextName, fields)} />
          </span>
          <EditIcon size={14} className="shrink-0 text-faint" />
        </button>
      )}
      <IconButton label={`Remove constraint ${number}`} icon={<RemoveIcon />} onClick={onRemove} />
    </fieldset>
  );
}

function UnknownField({ warning }: { warning: string | undefined }) {
  return warning && <span className="text-secondary text-warn">{warning}</span>;
}
