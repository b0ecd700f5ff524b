// Rules for editing constraints. Unsupported constraints are shown read-only and sent back unchanged.
import { useCapabilities } from '@/api/capabilities';
import type { Constraint, ContextField, Strategy } from '@/api/generated/types';
import { lacksValues } from './lacksValues';
import { BASIC_OPERATORS, findOperator, OPERATORS_OF, type ValueKind } from './operators';
import { CURRENT_TIME, isTime } from './schedule';

/** Returns the operators that the server evaluates. */
export function useOperators(): readonly string[] {
  return OPERATORS_OF[useCapabilities().operators];
}

/** Returns why a constraint cannot be edited, or undefined if it can. */
export function getReadOnlyReason(
  { operator, values = [], value, inverted, caseInsensitive }: Constraint,
  operators: readonly string[],
): string | undefined {
  // Servers with only the basic operators have no editor for them.
  const isBasic = BASIC_OPERATORS.includes(operator) && !value && !inverted && !caseInsensitive;
  if (operators === BASIC_OPERATORS && !isBasic) return 'This constraint can be changed by import only.';
  if (!operators.includes(operator)) return `This console does not support the operator ${operator}.`;
  if (!Array.isArray(values)) return 'This console does not support the format of its values.';
  return undefined;
}

/**
 * Returns a warning if the server has no such context field. Undefined fields are not loaded yet. Client libraries set the
 * current time themselves.
 */
export function getUnknownFieldWarning(
  contextName: string,
  fields: readonly ContextField[] | undefined,
): string | undefined {
  const isUnknown =
    fields !== undefined &&
    ![CURRENT_TIME, ''].includes(contextName) &&
    !fields.some(({ name }) => name === contextName);
  return isUnknown ? `This server has no context field ${contextName}.` : undefined;
}

/** Returns why a constraint cannot be saved. */
export function validateConstraint(constraint: Constraint): string | undefined {
  const { contextName, operator, value } = constraint;
  const known = findOperator(operator);
  if (contextName === '') return 'Choose a context field, or remove the constraint.';
  // A value in another format was stored by another program.
  if (known?.single) return typeof (value ?? '') === 'string' ? validateValue(known.single, value ?? '') : undefined;
  const values: unknown = constraint.values;
  const isEmptyList = (known?.hasCase || known?.hasNetworks) && Array.isArray(values) && values.length === 0;
  const invalid = known?.hasNetworks && Array.isArray(values) && values.find((one) => !isNetwork(`${one}`));
  if (invalid) return `${invalid} is not an IP address or a network, such as 10.0.0.0/8.`;
  return lacksValues(constraint) || isEmptyList ? 'Add a value, or remove the constraint.' : undefined;
}

/** An IP address or a network. The server checks it completely. */
function isNetwork(text: string): boolean {
  return /^(\d{1,3}(\.\d{1,3}){3}|[\da-f.]*:[\da-f:.]*)(\/\d{1,3})?$/iu.test(text.trim());
}

function validateValue(kind: ValueKind, value: string): string | undefined {
  const text = value.trim();
  if (text === '') return 'Enter a value, or remove the constraint.';
  if (kind === 'number' && !Number.isFinite(Number(text))) return 'Enter a number.';
  if (kind === 'date' && !isTime(text)) return 'Enter a date with time and time zone, such as 2026-12-31T12:00:00Z.';
  if (kind === 'version' && !/^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/.test(text))
    return 'Enter a version, such as 1.2.3.';
  return undefined;
}

/** Returns the constraint with another operator. The value is kept if the new operator compares with a value too. */
export function changeOperator(constraint: Constraint, operator: string): Constraint {
  const { values = [], value, caseInsensitive, ...rest } = constraint;
  const next = findOperator(operator);
  const kept = next?.hasCase && caseInsensitive ? { caseInsensitive } : {};
  if (next?.single) return { ...rest, ...kept, operator, values: [], value: value || (values[0] ?? '') };
  return { ...rest, ...kept, operator, values: values.length === 0 && value ? [value] : values };
}

/** Returns a constraint that compares a field with a list. Without values, the user has to add some. */
export function newConstraint(contextName: string, values: string[] = []): Constraint {
  return { contextName, operator: 'IN', values };
}

/** Sets the constraints. If none are left, the field becomes absent, or empty if the stored strategy has the field. */
export function setConstraints(strategy: Strategy, constraints: Constraint[], base: Strategy | undefined): Strategy {
  const { constraints: _, ...rest } = strategy;
  if (constraints.length > 0) return { ...rest, constraints };
  const stored = base?.constraints;
  return stored === undefined ? rest : { ...rest, constraints: stored && [] };
}
