// Describes constraints in plain text.
import type { Constraint } from '@/api/generated/types';
import { joinFirst } from '@/lib/text';
import { lacksValues } from './lacksValues';
import { findOperator } from './operators';
import { describeSchedule, getScheduleEnd } from './schedule';

/** Returns the label of a constraint's comparison; unknown operators are shown unchanged. */
export function getOperatorLabel({ operator, inverted }: Pick<Constraint, 'operator' | 'inverted'>): string {
  const known = findOperator(operator);
  return (inverted ? known?.inverse : known?.label) ?? operator;
}

/** Returns the label of a constraint's comparison with its values, such as `is` for a list with one value. */
export function getComparison(constraint: Constraint): string {
  const ofOne = getConstraintValues(constraint).length === 1 ? findOperator(constraint.operator)?.ofOne : undefined;
  return ofOne ? ofOne[constraint.inverted ? 1 : 0] : getOperatorLabel(constraint);
}

/** Describes a constraint as a sentence with at most `maxValues` values: `userId is one of 7, 8 and 12 more`. */
export function describeConstraint(constraint: Constraint, maxValues: number): string {
  const end = getScheduleEnd(constraint);
  // Without the present year: the text may be about an old change.
  if (end) return describeSchedule({ [end]: constraint.value }, { now: 0 });
  const values = getConstraintValues(constraint);
  const listed = lacksValues(constraint) ? 'no values' : joinFirst(values, maxValues);
  const options = describeConstraintOptions(constraint).map((option) => `(${option})`);
  // Servers accept a constraint without a field.
  const parts = [constraint.contextName || '(no field)', getComparison(constraint), listed, ...options];
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns the distinct values of a constraint; none if the server sent another format. */
export function getConstraintValues({ operator, values, value }: Constraint): string[] {
  if (findOperator(operator)?.single) return typeof value === 'string' && value !== '' ? [value] : [];
  return Array.isArray(values) ? [...new Set(values)] : [];
}

/** Returns the result of a constraint without values; undefined if it has values. */
export function describeMissingValues(constraint: Constraint): string | undefined {
  if (!lacksValues(constraint)) return undefined;
  const always = (constraint.operator === 'NOT_IN') !== (constraint.inverted === true);
  return `Without values, this constraint ${always ? 'always' : 'never'} matches.`;
}

/** Describes the fields that the sentence does not contain, such as `ignoring case`. */
export function describeConstraintOptions(constraint: Constraint): string[] {
  const { contextName: _, operator, values, value, inverted, caseInsensitive, ...others }: Constraint = constraint;
  const known = findOperator(operator);
  const options: Record<string, unknown> = {
    // Formats that the sentence does not show.
    ...(!Array.isArray(values) && { values }),
    ...(!known?.single && { value }),
    ...(!known && { inverted }),
    ...(!known && { caseInsensitive }),
    ...others,
  };
  const unknown = Object.entries(options)
    .filter(([, option]) => option !== undefined && option !== null && option !== false && option !== '')
    .map(([name, option]) => `${name}: ${typeof option === 'string' ? option : JSON.stringify(option)}`);
  const words = known?.hasCase ? 'ignoring case' : 'ignoring case has no effect';
  return [...(known && caseInsensitive ? [words] : []), ...unknown];
}
