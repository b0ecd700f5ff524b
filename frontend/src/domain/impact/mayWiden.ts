import type { Constraint } from '@/api/generated/types';
import { type AudienceRule, getPercent, isForEveryone } from '@/domain/strategies/audience';
import { getBuiltInList, getShareParameter } from '@/domain/strategies/builtInStrategies';
import { jsonEqual } from '@/lib/json';
import { splitList } from '@/lib/text';

/**
 * Returns whether a change of strategies may turn the feature on for more users. False if each strategy selects only users
 * whom a stored one selected: a smaller percentage, fewer users, or more constraints.
 */
export function mayWiden(before: readonly AudienceRule[], after: readonly AudienceRule[]): boolean {
  return after.some((rule) => !rule.disabled && !before.some((stored) => isWithin(rule, stored)));
}

function isWithin(rule: AudienceRule, stored: AudienceRule): boolean {
  if (isForEveryone(stored)) return true;
  return (
    !stored.disabled &&
    rule.name === stored.name &&
    (stored.constraints ?? []).every((one) => (rule.constraints ?? []).some((other) => isNarrower(other, one))) &&
    (stored.segments ?? []).every((segment) => rule.segments?.includes(segment)) &&
    (getPercent(rule) ?? 0) <= (getPercent(stored) ?? 0) &&
    isSubset(getListed(rule), getListed(stored)) &&
    jsonEqual(getOtherParameters(rule), getOtherParameters(stored))
  );
}

function isNarrower(
  { values = [], ...rest }: Constraint,
  { values: storedValues = [], ...stored }: Constraint,
): boolean {
  if (!jsonEqual(rest, stored)) return false;
  if (rest.operator === 'IN') return isSubset(values, storedValues);
  return rest.operator === 'NOT_IN' ? isSubset(storedValues, values) : jsonEqual(values, storedValues);
}

function isSubset(part: readonly string[], all: readonly string[]): boolean {
  return part.every((value) => all.includes(value));
}

/** The users, hosts or addresses that a built-in strategy lists. */
function getListed({ name, parameters = {} }: AudienceRule): string[] {
  const list = getBuiltInList(name);
  return list === undefined ? [] : splitList(parameters[list] ?? '');
}

function getOtherParameters({ name, parameters = {} }: AudienceRule): object {
  const { [getShareParameter(name) ?? '']: _share, [getBuiltInList(name) ?? '']: _list, ...others } = parameters;
  return others;
}
