import type { Constraint, Variant } from '@/api/generated/types';
import { type AudienceRule, getPercent, isForEveryone } from '@/domain/strategies/audience';
import { getBuiltInList, getShareParameter } from '@/domain/strategies/builtInStrategies';
import { jsonEqual } from '@/lib/json';
import { splitList } from '@/lib/text';

interface Rule extends AudienceRule {
  /** Variants that replace those of the toggle if this strategy matches. */
  readonly variants?: readonly Variant[] | null;
}

const everyone: readonly Rule[] = [{ name: 'default' }];

/**
 * Returns whether a change of strategies may turn the feature on for more users, or change their variant. False if each
 * strategy selects only users whom a stored one with the same variants selects. `src/evaluation/effect.rs` decides the same for
 * `flagdeck plan`; both pass the cases of `effectCases.json`.
 */
export function mayWiden(before: readonly Rule[], after: readonly Rule[]): boolean {
  const stored = (before.length > 0 ? before : everyone).filter(({ disabled }) => !disabled);
  const edited = (after.length > 0 ? after : everyone).filter(({ disabled }) => !disabled);
  // The index in `stored` of each strategy of `edited`.
  const chosen: number[] = [];
  const isEarlierKept = (earlier: Rule, index: number) =>
    edited.some((rule, position) => chosen[position] === index && isWithin(earlier, rule));
  return !edited.every((rule) => {
    const fits = (other: Rule, index: number) =>
      // Two draws of 50 % select more users than one of them.
      !(isRandom(other) && chosen.includes(index)) &&
      hasSameVariants(rule, other) &&
      isWithin(rule, other) &&
      stored.slice(0, index).every((earlier, at) => hasSameVariants(earlier, other) || isEarlierKept(earlier, at));
    const fitting = stored.flatMap((other, index) => (fits(other, index) ? [{ other, index }] : []));
    // An unchanged strategy leaves the others to the strategies that need them.
    const found = fitting.find(({ other }) => isWithin(other, rule)) ?? fitting[0];
    if (found) chosen.push(found.index);
    return found !== undefined;
  });
}

function hasSameVariants(one: Rule, other: Rule): boolean {
  return jsonEqual(one.variants ?? [], other.variants ?? []);
}

/** Returns whether chance decides for some calls. */
function isRandom(rule: Rule): boolean {
  const { stickiness = 'default' } = rule.parameters ?? {};
  const draws =
    rule.name === 'gradualRolloutRandom' ||
    (rule.name === 'flexibleRollout' && ['default', 'random'].includes(stickiness));
  return draws && (getPercent(rule) ?? 0) < 100;
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
