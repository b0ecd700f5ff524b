// Rules for editing constraints. Unsupported constraints are shown read-only and sent back unchanged.
import type { Constraint, ContextField, Strategy } from '@/api/generated/types';
import { lacksValues } from '@/domain/strategies/lacksValues';

export const editableOperators: readonly Constraint['operator'][] = ['IN', 'NOT_IN'];

/** Returns why a constraint cannot be edited, or undefined if it can. */
export function getReadOnlyReason({ operator, values = [] }: Constraint): string | undefined {
  if (!editableOperators.includes(operator)) return `This console does not support the operator ${operator}.`;
  if (!Array.isArray(values)) return 'This console does not support the format of its values.';
  return undefined;
}

/** Returns a warning if the server has no such context field. Undefined fields are not loaded yet. */
export function getUnknownFieldWarning(
  contextName: string,
  fields: readonly ContextField[] | undefined,
): string | undefined {
  const isUnknown = fields !== undefined && !fields.some(({ name }) => name === contextName);
  return isUnknown ? `This server has no context field ${contextName}.` : undefined;
}

/** Returns why a constraint cannot be saved. */
export function validateConstraint(constraint: Constraint): string | undefined {
  return lacksValues(constraint) ? 'Add a value, or remove the constraint.' : undefined;
}

export function newConstraint(field: ContextField): Constraint {
  return { contextName: field.name, operator: 'IN', values: [] };
}

/** Sets the constraints. If none are left, the field becomes absent, or empty if the stored strategy has the field. */
export function setConstraints(strategy: Strategy, constraints: Constraint[], base: Strategy | undefined): Strategy {
  const { constraints: _, ...rest } = strategy;
  if (constraints.length > 0) return { ...rest, constraints };
  const stored = base?.constraints;
  return stored === undefined ? rest : { ...rest, constraints: stored && [] };
}
