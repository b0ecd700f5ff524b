import { type KeyboardEvent, useState } from 'react';
import type { Constraint, ContextField } from '@/api/generated/types';
import { getOperatorLabel } from '@/domain/strategies/describeConstraint';
import { BASIC_OPERATORS, findOperator } from '@/domain/strategies/operators';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { SelectField } from '@/ui/SelectField';
import { ConstraintOptions, ConstraintValue } from './ConstraintValue';
import { changeOperator, getUnknownFieldWarning } from './constraints';

interface Props {
  constraint: Constraint;
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  operators: readonly string[];
  onFocus: () => void;
  onChange: (constraint: Constraint) => void;
  onDone: () => void;
}

/** Fields of one constraint. Escape and Done close it. */
export function ConstraintFields({ constraint, fields, operators, onFocus, onChange, onDone }: Props) {
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
