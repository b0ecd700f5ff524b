import type { Constraint, ContextField } from '@/api/generated/types';
import { getOperatorLabel } from '@/domain/strategies/describeStrategy';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ChipsField } from '@/ui/ChipsField';
import { IconButton } from '@/ui/IconButton';
import { AddIcon, RemoveIcon } from '@/ui/icons';
import { SelectField } from '@/ui/SelectField';
import { editableOperators, getReadOnlyReason, newConstraint, validateConstraint } from './constraints';

interface Props {
  constraints: readonly Constraint[];
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  onChange: (constraints: Constraint[]) => void;
}

/** Editor of a strategy's constraints, all of which must match. */
export function ConstraintsEditor({ constraints, fields = [], onChange }: Props) {
  const [first] = fields;
  const replace = (at: number, next: Constraint) =>
    onChange(constraints.map((one, index) => (index === at ? next : one)));
  return (
    <fieldset aria-label="Constraints" className="grid min-w-0 gap-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="font-semibold text-secondary max-sm:flex-1">Constraints</p>
        <p className="flex-1 text-muted text-secondary max-sm:order-last max-sm:basis-full">
          {constraints.length === 0 ? 'No constraints' : 'All must match'}
        </p>
        <Button
          variant="ghost"
          size="small"
          icon={<AddIcon size={15} />}
          disabledReason={first ? undefined : 'This server has no context fields.'}
          onClick={() => first && onChange([...constraints, newConstraint(first)])}
        >
          Add constraint
        </Button>
      </div>
      {constraints.map((constraint, index) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: constraints have no name, may be alike, and never move.
          key={index}
          constraint={constraint}
          number={index + 1}
          fields={fields}
          onChange={(next) => replace(index, next)}
          onRemove={() => onChange(constraints.filter((_, other) => other !== index))}
        />
      ))}
    </fieldset>
  );
}

interface RowProps {
  constraint: Constraint;
  number: number;
  fields: readonly ContextField[];
  onChange: (constraint: Constraint) => void;
  onRemove: () => void;
}

function Row({ constraint, number, fields, onChange, onRemove }: RowProps) {
  const reason = getReadOnlyReason(constraint, fields);
  return (
    <fieldset aria-label={`Constraint ${number}`} className="flex min-w-0 gap-2 rounded-control bg-sunken p-3">
      {reason === undefined ? (
        <Editor constraint={constraint} fields={fields} onChange={onChange} />
      ) : (
        <ReadOnlyConstraint constraint={constraint} reason={reason} />
      )}
      <IconButton label={`Remove constraint ${number}`} icon={<RemoveIcon />} onClick={onRemove} />
    </fieldset>
  );
}

function Editor({ constraint, fields, onChange }: Pick<RowProps, 'constraint' | 'fields' | 'onChange'>) {
  const { contextName, operator, values = [] } = constraint;
  return (
    <div className="grid min-w-0 flex-1 gap-3 sm:grid-cols-2">
      <SelectField
        label="Context field"
        help={<TextLink to={paths.contextFields()}>All context fields</TextLink>}
        value={contextName}
        options={fields.map(({ name }) => ({ value: name, label: name }))}
        onChange={(name) => onChange({ ...constraint, contextName: name })}
      />
      <SelectField
        label="Operator"
        value={operator}
        options={editableOperators.map((one) => ({ value: one, label: getOperatorLabel(one) }))}
        onChange={(next) => onChange({ ...constraint, operator: next })}
      />
      <div className="min-w-0 sm:col-span-2">
        <ChipsField
          label="Values"
          entries={values}
          error={validateConstraint(constraint)}
          suggestions={fields.find(({ name }) => name === contextName)?.legalValues ?? []}
          onChange={(next) => onChange({ ...constraint, values: next })}
        />
      </div>
    </div>
  );
}

function ReadOnlyConstraint({ constraint, reason }: { constraint: Constraint; reason: string }) {
  const { contextName, operator, values } = constraint;
  return (
    <div className="grid min-w-0 flex-1 gap-2">
      <p className="flex flex-wrap items-center gap-1.5">
        <Chip>{contextName}</Chip>
        <span className="text-accent text-secondary">{getOperatorLabel(operator)}</span>
        {Array.isArray(values) ? values.map((value) => <Chip key={value}>{value}</Chip>) : JSON.stringify(values)}
      </p>
      <p className="text-muted text-secondary">{reason} It stays unchanged.</p>
    </div>
  );
}
