import type { Constraint, ContextField } from '@/api/generated/types';
import { describeMissingValues } from '@/domain/strategies/describeConstraint';
import { findOperator, type ValueKind } from '@/domain/strategies/operators';
import { Checkbox } from '@/ui/Checkbox';
import { ChipsField } from '@/ui/ChipsField';
import { TextField } from '@/ui/TextField';
import { validateConstraint } from './constraints';

interface Props {
  constraint: Constraint;
  /** Undefined if the server has no such context field, or while loading. */
  field: ContextField | undefined;
  /** The user has left the field, so that its error is shown. */
  isTouched: boolean;
  onChange: (constraint: Constraint) => void;
}

/** The list or the single value that a constraint compares with. */
export function ConstraintValue({ constraint, field, isTouched, onChange }: Props) {
  const error = isTouched ? validateConstraint(constraint) : undefined;
  const kind = findOperator(constraint.operator)?.single;
  if (kind) {
    return (
      <TextField
        label="Value"
        required
        value={constraint.value ?? ''}
        error={error}
        placeholder={EXAMPLES[kind]}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        spellCheck={false}
        onChange={(value) => onChange({ ...constraint, value })}
      />
    );
  }
  const warning = isTouched ? undefined : describeMissingValues(constraint);
  return (
    <ChipsField
      label="Values"
      required
      entries={constraint.values ?? []}
      error={error}
      help={warning && <span className="text-warn">{warning}</span>}
      suggestions={field?.legalValues ?? []}
      onChange={(values) => onChange({ ...constraint, values })}
    />
  );
}

const EXAMPLES: { [kind in ValueKind]?: string } = {
  date: '2026-12-31T12:00:00Z',
  version: '1.2.3',
};

/** Options of the comparison, for servers that have them. */
export function ConstraintOptions({ constraint, onChange }: Pick<Props, 'constraint' | 'onChange'>) {
  const { operator, inverted, caseInsensitive } = constraint;
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 sm:col-span-2">
      <Checkbox
        label="Invert"
        checked={inverted === true}
        onChange={(next) => onChange({ ...constraint, inverted: next })}
      />
      {findOperator(operator)?.hasCase && (
        <Checkbox
          label="Ignore case"
          checked={caseInsensitive === true}
          onChange={(next) => onChange({ ...constraint, caseInsensitive: next })}
        />
      )}
    </div>
  );
}
