// Describes constraints in plain text.
import type { Constraint } from '@/api/generated/types';
import { joinFirst } from '@/lib/joinFirst';
import { lacksValues } from './lacksValues';

const operators: Record<Constraint['operator'], string> = { IN: 'is one of', NOT_IN: 'is not one of' };

function isKnownOperator(operator: string): operator is Constraint['operator'] {
  return Object.hasOwn(operators, operator);
}

/** Returns the label of an operator; unknown operators are shown unchanged. */
export function getOperatorLabel(operator: string): string {
  return isKnownOperator(operator) ? operators[operator] : operator;
}

/** Describes a constraint as a sentence with at most `maxValues` values: `userId is one of 7, 8 and 12 more`. */
export function describeConstraint(constraint: Constraint, maxValues: number): string {
  const values = getConstraintValues(constraint);
  const listed = lacksValues(constraint) ? '(no values)' : joinFirst(values, maxValues);
  const options = describeConstraintOptions(constraint).map((option) => `(${option})`);
  const parts = [constraint.contextName, getOperatorLabel(constraint.operator), listed, ...options];
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns the distinct values of a constraint; none if the server sent another format than a list. */
export function getConstraintValues({ values }: Constraint): string[] {
  return Array.isArray(values) ? [...new Set(values)] : [];
}

/** Returns the result of a constraint without values; undefined if it has values. */
export function describeMissingValues(constraint: Constraint): string | undefined {
  if (!lacksValues(constraint)) return undefined;
  return `Without values, this constraint ${constraint.operator === 'IN' ? 'never' : 'always'} matches.`;
}

/** Describes fields that only newer servers have, such as `inverted: true`. */
export function describeConstraintOptions(constraint: Constraint): string[] {
  const { contextName: _name, operator: _operator, values, ...others } = constraint;
  const options: Record<string, unknown> = Array.isArray(values) ? others : { values, ...others };
  return Object.entries(options)
    .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}
