// Which constraints can be edited here. Whatever else a server keeps is shown as it is and sent back untouched.
import type { Constraint, ContextField, Strategy } from '@/api/generated/types';

export const operators: readonly Constraint['operator'][] = ['IN', 'NOT_IN'];

/** Undefined for one that can be edited. */
export function whyFixed(
  { contextName, operator, values = [] }: Constraint,
  fields: readonly ContextField[],
): string | undefined {
  if (!operators.includes(operator)) return `This console does not know the operator ${operator}.`;
  if (!fields.some(({ name }) => name === contextName)) return `This server has no context field ${contextName}.`;
  if (!Array.isArray(values)) return 'This console does not know what its values mean.';
  return undefined;
}

/** The reason why it cannot be saved: without values `IN` never matches and `NOT_IN` always does. */
export function constraintError(constraint: Constraint): string | undefined {
  const { operator, values } = constraint;
  // Other operators are sent back as they were.
  if (!operators.includes(operator)) return undefined;
  return values === undefined || (Array.isArray(values) && values.length === 0) ? 'Add at least one value.' : undefined;
}

export function newConstraint(field: ContextField): Constraint {
  return { contextName: field.name, operator: 'IN', values: [] };
}

/** A card that was stored without any is without any again when the last one goes. */
export function withConstraints(card: Strategy, constraints: Constraint[], base: Strategy | undefined): Strategy {
  const { constraints: _, ...rest } = card;
  if (constraints.length > 0) return { ...rest, constraints };
  const stored = base?.constraints;
  return stored === undefined ? rest : { ...rest, constraints: stored && [] };
}
