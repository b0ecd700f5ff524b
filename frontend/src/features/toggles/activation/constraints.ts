// Rules for editing constraints. Unsupported constraints are shown read-only and sent back unchanged.
import type { Constraint, ContextField, Strategy } from '@/api/generated/types';

export const editableOperators: readonly Constraint['operator'][] = ['IN', 'NOT_IN'];

/** Returns why a constraint cannot be edited, or undefined if it can. */
export function getReadOnlyReason(
  { contextName, operator, values = [] }: Constraint,
  fields: readonly ContextField[],
): string | undefined {
  if (!editableOperators.includes(operator)) return `This console does not support the operator ${operator}.`;
  if (!fields.some(({ name }) => name === contextName)) return `This server has no context field ${contextName}.`;
  if (!Array.isArray(values)) return 'This console does not support the format of its values.';
  return undefined;
}

/** Returns why a constraint cannot be saved. Without values, `IN` never matches and `NOT_IN` always does. */
export function validateConstraint(constraint: Constraint): string | undefined {
  const { operator, values } = constraint;
  // Unsupported operators are sent back unchanged.
  if (!editableOperators.includes(operator)) return undefined;
  return values === undefined || (Array.isArray(values) && values.length === 0) ? 'Add at least one value.' : undefined;
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
