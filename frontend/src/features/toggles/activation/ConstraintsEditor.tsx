import { Fragment, type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Constraint, ContextField } from '@/api/generated/types';
import { describeMissingValues, getOperatorLabel } from '@/domain/strategies/describeConstraint';
import { BASIC_OPERATORS, findOperator, type ValueKind } from '@/domain/strategies/operators';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { ChipsField } from '@/ui/ChipsField';
import { IconButton } from '@/ui/IconButton';
import { AddIcon, EditIcon, RemoveIcon } from '@/ui/icons';
import { SelectField } from '@/ui/Select';
import { TextField } from '@/ui/TextField';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { ConstraintVerdict } from '../lab/ConstraintVerdict';
import { AndWord } from './ConstraintList';
import { ConstraintSentence } from './ConstraintSentence';
import {
  changeOperator,
  getReadOnlyReason,
  getUnknownFieldWarning,
  newConstraint,
  useOperators,
  validateConstraint,
} from './constraints';
import { removeAt } from './strategyDrafts';

interface Props {
  constraints: readonly Constraint[];
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  onChange: (constraints: Constraint[]) => void;
}

/** Editor of a strategy's constraints, all of which must match. */
export function ConstraintsEditor({ constraints, fields, onChange }: Props) {
  const rows = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  /** Indexes of the constraints whose editors are open. */
  const [open, setOpen] = useState<readonly number[]>([]);
  const [first] = fields ?? [];

  function setOpenAt(at: number, isOpen: boolean) {
    setOpen((before) => {
      if (before.includes(at) === isOpen) return before;
      return isOpen ? [...before, at] : before.filter((other) => other !== at);
    });
  }

  function add() {
    if (!first) return;
    flushSync(() => {
      setOpenAt(constraints.length, true);
      onChange([...constraints, newConstraint(first)]);
    });
    rows.current?.lastElementChild?.querySelector<HTMLElement>('select, button, input')?.focus();
  }

  function remove(at: number) {
    flushSync(() => {
      setOpen(open.filter((other) => other !== at).map((other) => (other > at ? other - 1 : other)));
      onChange(removeAt(constraints, at));
    });
    addButton.current?.focus();
  }

  return (
    <fieldset aria-label="Constraints" className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="font-semibold text-secondary max-sm:flex-1">Constraints</p>
        <p className="flex-1 text-muted text-secondary max-sm:order-last max-sm:basis-full">
          {constraints.length === 0 ? 'No constraints' : 'All must match'}
        </p>
        <Button
          ref={addButton}
          variant="ghost"
          size="small"
          icon={<AddIcon size={15} />}
          disabledReason={first ? undefined : getAddDisabledReason(fields)}
          onClick={add}
        >
          Add constraint
        </Button>
      </div>
      {constraints.length > 0 && (
        <div ref={rows} className="grid min-w-0 gap-1">
          {constraints.map((constraint, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: constraints have no name, may be alike, and never move.
            <Fragment key={index}>
              {index > 0 && <AndWord />}
              <div className="grid min-w-0 gap-1">
                <ConstraintRow
                  constraint={constraint}
                  number={index + 1}
                  fields={fields}
                  isOpen={open.includes(index)}
                  onOpenChange={(isOpen) => setOpenAt(index, isOpen)}
                  onChange={(next) => onChange(constraints.map((one, at) => (at === index ? next : one)))}
                  onRemove={() => remove(index)}
                />
                <ConstraintVerdict constraint={constraint} index={index} />
              </div>
            </Fragment>
          ))}
        </div>
      )}
    </fieldset>
  );
}

function getAddDisabledReason(fields: readonly ContextField[] | undefined): string {
  return fields ? 'This server has no context fields.' : 'The context fields are not loaded yet.';
}

interface ConstraintRowProps {
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
function ConstraintRow({ constraint, number, fields, isOpen, onOpenChange, onChange, onRemove }: ConstraintRowProps) {
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

interface ConstraintFieldsProps {
  constraint: Constraint;
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  operators: readonly string[];
  onFocus: () => void;
  onChange: (constraint: Constraint) => void;
  onDone: () => void;
}

/** Fields of one constraint. Escape and Done close it. */
function ConstraintFields({ constraint, fields, operators, onFocus, onChange, onDone }: ConstraintFieldsProps) {
  const { contextName, operator } = constraint;
  const [isTouched, setTouched] = useState(false);
  // The error of a single value is shown by Done: it would move the controls below while they are clicked.
  const isSingle = findOperator(operator)?.single !== undefined;
  // A stored field that the server no longer has stays selected until another is chosen.
  const names = [...new Set([...(fields ?? []).map(({ name }) => name), contextName])];

  function done() {
    // Leaving the field adds the typed value.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setTouched(true);
    onDone();
  }

  function closeByEscape({ key, currentTarget, target }: KeyboardEvent) {
    // The first Escape closes the list of a select. Its options may be elsewhere in the document.
    const isInList = target instanceof HTMLOptionElement || !currentTarget.contains(target as Node);
    if (key === 'Escape' && !isInList) done();
  }

  return (
    <div
      className="grid min-w-0 flex-1 gap-3 rounded-control bg-sunken p-3 sm:grid-cols-2"
      onFocusCapture={onFocus}
      onKeyDownCapture={closeByEscape}
    >
      <SelectField
        label="Context field"
        help={<ContextFieldHelp warning={getUnknownFieldWarning(contextName, fields)} />}
        value={contextName}
        options={names.map((name) => ({ value: name, label: name }))}
        onChange={(name) => onChange({ ...constraint, contextName: name })}
      />
      <SelectField
        label="Operator"
        value={operator}
        options={operators.map((one) => ({ value: one, label: getOperatorLabel({ operator: one }) }))}
        onChange={(next) => onChange(changeOperator(constraint, next))}
      />
      <div data-values className="min-w-0 sm:col-span-2" onBlurCapture={() => setTouched(isTouched || !isSingle)}>
        <ConstraintValue
          constraint={constraint}
          field={fields?.find(({ name }) => name === contextName)}
          isTouched={isTouched}
          onChange={onChange}
        />
      </div>
      {operators.length > BASIC_OPERATORS.length && <ConstraintOptions constraint={constraint} onChange={onChange} />}
      <Button size="small" className="justify-self-start" onClick={done}>
        Done
      </Button>
    </div>
  );
}

function ContextFieldHelp({ warning }: { warning: string | undefined }) {
  return (
    <>
      {warning && <span className="block text-warn">{warning}</span>}
      <TextLink to={paths.contextFields()}>All context fields</TextLink>
    </>
  );
}

interface ConstraintValueProps {
  constraint: Constraint;
  /** Undefined if the server has no such context field, or while loading. */
  field: ContextField | undefined;
  /** The user has left the field, so that its error is shown. */
  isTouched: boolean;
  onChange: (constraint: Constraint) => void;
}

/** The list or the single value that a constraint compares with. */
function ConstraintValue({ constraint, field, isTouched, onChange }: ConstraintValueProps) {
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
function ConstraintOptions({ constraint, onChange }: Pick<ConstraintValueProps, 'constraint' | 'onChange'>) {
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
