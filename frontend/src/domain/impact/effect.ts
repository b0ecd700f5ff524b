import type { Constraint, Tag, Toggle, Variant } from '@/api/generated/types';
import { type AudienceRule, getPercent, isForEveryone } from '@/domain/strategies/audience';
import { getBuiltInList, getShareParameter } from '@/domain/strategies/builtInStrategies';
import { jsonEqual } from '@/lib/json';
import { splitList } from '@/lib/text';
import effectWords from './effectWords.json';
import { isPlainConstraint, isPlainRule } from './plainValues';

/**
 * Effect of a change on who gets the feature of a toggle: `widens` if some users may get the feature, or another variant, for the
 * first time; `narrows` if some may get it no longer, and nobody gets anything new; otherwise `neither`.
 */
export type Effect = 'widens' | 'narrows' | 'neither';

/** The effects in words: the predicate of a sentence about a change. `flagdeck plan` prints the same words. */
export const EFFECT_WORDS: Readonly<Record<Effect, string>> = effectWords;

interface Rule extends AudienceRule {
  /** Variants that replace those of the toggle if this strategy matches. */
  readonly variants?: readonly Variant[] | null;
}

/** A strategy with the variants of those whom it selects. */
interface RatedRule extends Rule {
  /** The variants of the toggle, which old libraries use instead of those of the strategy. */
  readonly toggleVariants: readonly Variant[];
  readonly canMatch: boolean;
  /** Whether all client libraries read the strategy equally. */
  readonly isPlain: boolean;
}

/** The properties of a toggle that decide who gets its feature. */
export interface RatedToggle extends Pick<Toggle, 'enabled'> {
  readonly strategies: readonly Rule[];
  readonly variants?: readonly Variant[] | null;
  /** Tokens of clients can be limited to projects and tags. Undefined if they are not known. */
  readonly project?: string;
  readonly tags?: readonly Tag[];
}

/**
 * Returns the effect of a change on the results of a toggle. Undefined stands for a toggle that does not exist, or is archived. A
 * change that does not provably narrow widens. Toggles that depend on the toggle are not considered.
 *
 * `src/evaluation/effect.rs` decides the same for `flagdeck plan`; both pass the cases of `effectCases.json`.
 */
export function getEffect(before: RatedToggle | undefined, after: RatedToggle | undefined): Effect {
  const [stored, edited] = [findRules(before), findRules(after)];
  const { isGained, isLost } = compareSelection(before, after);
  if (!areWithin(edited, stored) || (isGained && edited.some(({ canMatch }) => canMatch))) return 'widens';
  return areWithin(stored, edited) && !(isLost && stored.some(({ canMatch }) => canMatch)) ? 'neither' : 'narrows';
}

/** Returns the effect of a tag that a toggle gets, or loses: clients can be limited to tags. */
export function getTagEffect(toggle: RatedToggle, isAdded: boolean): Effect {
  if (!findRules(toggle).some(({ canMatch }) => canMatch)) return 'neither';
  return isAdded ? 'widens' : 'narrows';
}

/** Returns whether clients that are limited to a project or a tag get the toggle for the first time, or no longer. */
function compareSelection(before: RatedToggle | undefined, after: RatedToggle | undefined) {
  const isMoved = before?.project !== undefined && after?.project !== undefined && before.project !== after.project;
  const [tags, newTags] = before?.tags && after?.tags ? [before.tags, after.tags] : [[], []];
  const lacks = (list: readonly Tag[], tag: Tag) => !list.some((other) => jsonEqual(other, tag));
  return {
    isGained: isMoved || newTags.some((tag) => lacks(tags, tag)),
    isLost: isMoved || tags.some((tag) => lacks(newTags, tag)),
  };
}

/** Returns whether a change of the strategies of an enabled toggle may turn it on for more users, or change their variant. */
export function mayWiden(before: readonly Rule[], after: readonly Rule[]): boolean {
  return getEffect({ enabled: true, strategies: before }, { enabled: true, strategies: after }) === 'widens';
}

/** Returns the strategies that can match, or that a client library may refuse. */
function findRules(toggle: RatedToggle | undefined): readonly RatedRule[] {
  if (!toggle?.enabled) return [];
  const { strategies, variants } = toggle;
  const toggleVariants = variants ?? [];
  const all: readonly Rule[] = strategies.length > 0 ? strategies : [{ name: 'default' }];
  return all
    .filter(({ disabled }) => !disabled)
    .map((rule) => ({
      ...rule,
      variants: rule.variants?.length ? rule.variants : toggleVariants,
      toggleVariants,
      canMatch: canMatch(rule),
      isPlain: isPlainRule(rule) && (rule.constraints ?? []).every(isPlainConstraint),
    }))
    .filter((rule) => rule.canMatch || !rule.isPlain);
}

function canMatch(rule: Rule): boolean {
  if (isPlainRule(rule) && getPercent(rule) === 0) return false;
  const isNever = (one: Constraint) => isPlainConstraint(one) && isList(one, true) && getValues(one).length === 0;
  return !(rule.constraints ?? []).some(isNever);
}

/**
 * Returns whether each strategy of `edited` selects only users whom one of `stored` with the same variants selects. The
 * strategies before that one with other variants must still decide for their users.
 */
function areWithin(edited: readonly RatedRule[], stored: readonly RatedRule[]): boolean {
  if (!edited.some(({ canMatch }) => canMatch)) return true;
  // A library may refuse these, which switches off the toggle.
  const isKept = (rule: RatedRule) => rule.isPlain || edited.some((other) => isIdentical(other, rule));
  if (!stored.every(isKept)) return false;
  // The index in `stored` of each strategy of `edited`.
  const chosen: number[] = [];
  const isEarlierKept = (earlier: RatedRule, index: number) =>
    edited.some((rule, position) => chosen[position] === index && isWithin(earlier, rule));
  return edited.every((rule) => {
    const fits = (other: RatedRule, index: number) =>
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

function hasSameVariants(one: RatedRule, other: RatedRule): boolean {
  const lists = [one, other].map((rule) => [rule.variants ?? [], rule.toggleVariants]);
  const [variants, others] = lists.map((pair) => pair.map((list) => list.map(omitWeightType)));
  return jsonEqual(variants, others);
}

/** Returns whether both strategies have the same definition, so that each library decides equally. */
function isIdentical(one: AudienceRule, other: AudienceRule): boolean {
  return (
    hasSameRule(one, other) &&
    jsonEqual((one.constraints ?? []).map(toComparable), (other.constraints ?? []).map(toComparable)) &&
    jsonEqual(one.segments ?? [], other.segments ?? [])
  );
}

function hasSameRule(one: AudienceRule, other: AudienceRule): boolean {
  return one.name === other.name && jsonEqual(one.parameters ?? {}, other.parameters ?? {});
}

function toComparable({ contextName, operator, inverted, caseInsensitive, value, values }: Constraint): object {
  return {
    contextName,
    operator,
    inverted: inverted ?? false,
    caseInsensitive: caseInsensitive ?? false,
    value: value ?? null,
    values: values ?? [],
  };
}

/** Whether a weight is fixed or computed decides only about the next edit. */
function omitWeightType({ weightType: _, ...variant }: Variant): object {
  return variant;
}

/** Returns whether chance decides for some calls. */
function isRandom(rule: Rule): boolean {
  const { stickiness = 'default' } = rule.parameters ?? {};
  const draws =
    rule.name === 'gradualRolloutRandom' ||
    (rule.name === 'flexibleRollout' && ['', 'default', 'random'].includes(stickiness));
  return draws && !(isPlainRule(rule) && getPercent(rule) === 100);
}

function isWithin(rule: RatedRule, stored: RatedRule): boolean {
  if (!rule.canMatch || isIdentical(rule, stored)) return true;
  if (!stored.canMatch) return false;
  const wanted = (stored.constraints ?? []).filter((one) => !isList(one, false) || getValues(one).length > 0);
  const isEveryone = (one: AudienceRule) => isPlainRule(one) && isForEveryone(one);
  if (isEveryone({ ...stored, constraints: wanted })) return true;
  const hasWiderRule = isEveryone({ ...stored, constraints: [], segments: [] });
  return (
    (rule.name === stored.name || hasWiderRule) &&
    wanted.every((one) => (rule.constraints ?? []).some((other) => isNarrower(other, one))) &&
    (stored.segments ?? []).every((segment) => rule.segments?.includes(segment)) &&
    (rule.name !== stored.name || hasSameRule(rule, stored) || haveNarrowerParameters(rule, stored))
  );
}

function haveNarrowerParameters(rule: AudienceRule, stored: AudienceRule): boolean {
  if (!isPlainRule(rule) || !isPlainRule(stored)) return false;
  return (
    (getPercent(rule) ?? 0) <= (getPercent(stored) ?? 0) &&
    isSubset(getListed(rule), getListed(stored)) &&
    jsonEqual(getOtherParameters(rule), getOtherParameters(stored))
  );
}

/** Returns whether a constraint matches only where the stored one matches. */
function isNarrower(constraint: Constraint, stored: Constraint): boolean {
  if (jsonEqual(toComparable(constraint), toComparable(stored))) return true;
  if (constraint.contextName !== stored.contextName) return false;
  if (!isPlainConstraint(constraint) || !isPlainConstraint(stored)) return false;
  const [values, storedValues] = [getValues(constraint), getValues(stored)];
  for (const isListed of [true, false]) {
    if (isList(constraint, isListed) && isList(stored, isListed))
      return isListed ? isSubset(values, storedValues) : isSubset(storedValues, values);
  }
  // Each listed value must pass the stored constraint, which excludes values.
  if (isList(constraint, true) && isList(stored, false)) return !values.some((value) => storedValues.includes(value));
  const isInverted = constraint.inverted ?? false;
  return (
    constraint.operator === stored.operator &&
    isInverted === (stored.inverted ?? false) &&
    (constraint.caseInsensitive ?? false) === (stored.caseInsensitive ?? false) &&
    (constraint.value ?? '') === (stored.value ?? '') &&
    (isInverted ? isSubset(storedValues, values) : isSubset(values, storedValues))
  );
}

/** Returns whether the constraint lists the values that match, or with `isListed` false, those that do not match. */
function isList({ operator, inverted }: Constraint, isListed: boolean): boolean {
  if (operator !== 'IN' && operator !== 'NOT_IN') return false;
  return ((operator === 'IN') !== (inverted ?? false)) === isListed;
}

function getValues({ values = [] }: Constraint): readonly string[] {
  return values;
}

function isSubset(part: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all);
  return part.every((value) => known.has(value));
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
