import type { Effect, Tag, Toggle, Variant } from '@/api/generated/types';
import { type AudienceRule, getPercent } from '@/domain/strategies/audience';
import { getBuiltInList, getShareParameter } from '@/domain/strategies/builtInStrategies';
import { jsonEqual } from '@/lib/json';
import { areComparable, implies, isAlways, isNever, isSameConstraint, isSubset } from './impliedConstraint';
import { isNetworkWithin } from './plainOrder';
import { isPlainConstraint, isPlainRule, splitItems } from './plainValues';

export type { Effect };

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
 * Returns the effect of a change on the results of a toggle. Undefined stands for a toggle that does not exist, or is archived.
 * Toggles that depend on the toggle are not considered.
 *
 * `src/evaluation/effect.rs` decides the same for `flagdeck plan`; both pass the cases of `effectCases.json`.
 */
export function getEffect(before: RatedToggle | undefined, after: RatedToggle | undefined): Effect {
  const [stored, edited] = [findRules(before), findRules(after)];
  const { isGained, isLost } = compareSelection(before, after);
  const own = fromGainAndLoss(!areWithin(edited, stored), !areWithin(stored, edited));
  return join(
    own === 'changes' && isUndecided(stored, edited) ? 'mayWiden' : own,
    fromGainAndLoss(isGained && canBeOn(edited), isLost && canBeOn(stored)),
  );
}

/** Returns whether an effect may give the feature to somebody: unless the opposite is proved. */
export function mayWiden(effect: Effect): boolean {
  return effect !== 'neither' && effect !== 'narrows';
}

function fromGainAndLoss(gains: boolean, loses: boolean): Effect {
  if (!gains) return loses ? 'narrows' : 'neither';
  return loses ? 'changes' : 'widens';
}

const IN_ORDER: readonly Effect[] = ['neither', 'narrows', 'widens', 'mayWiden', 'changes'];

/** Returns the effect of two changes together. */
function join(one: Effect, other: Effect): Effect {
  const [low, high] = [one, other].toSorted((a, b) => IN_ORDER.indexOf(a) - IN_ORDER.indexOf(b)) as [Effect, Effect];
  return low === 'narrows' && high === 'widens' ? 'changes' : high;
}

/** Returns the effect of a tag that a toggle gets, or loses: clients can be limited to tags. */
export function getTagEffect(toggle: RatedToggle, isAdded: boolean): Effect {
  if (!canBeOn(findRules(toggle))) return 'neither';
  return isAdded ? 'widens' : 'narrows';
}

function canBeOn(rules: readonly RatedRule[]): boolean {
  return rules.some(({ canMatch }) => canMatch);
}

/**
 * Returns whether the strategies cannot be compared: client libraries read one of them in different ways, only the application
 * evaluates it, or both versions have conditions of different kinds on the same context field.
 */
function isUndecided(stored: readonly RatedRule[], edited: readonly RatedRule[]): boolean {
  const changed = (rules: readonly RatedRule[], others: readonly RatedRule[]) =>
    rules.filter((rule) => !others.some((other) => isIdentical(rule, other)));
  const [old, now] = [changed(stored, edited), changed(edited, stored)];
  if ([...old, ...now].some((rule) => !rule.isPlain || isCustom(rule))) return true;
  return old.some((one) => now.some((other) => hasUnlikeCondition(one, other)));
}

/** Returns whether only the application knows whom the strategy selects. */
function isCustom({ name }: AudienceRule): boolean {
  return name !== 'default' && getShareParameter(name) === undefined && getBuiltInList(name) === undefined;
}

function hasUnlikeCondition(one: AudienceRule, other: AudienceRule): boolean {
  return (one.constraints ?? []).some((constraint) =>
    (other.constraints ?? []).some(
      (wanted) =>
        constraint.contextName === wanted.contextName &&
        !isSameConstraint(constraint, wanted) &&
        !areComparable(constraint, wanted),
    ),
  );
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
  const list = getBuiltInList(rule.name);
  // Libraries never match these, except for an empty list of users, which is not plain.
  const isEmpty = list !== undefined && /^,*$/.test(rule.parameters?.[list] ?? '');
  if (isPlainRule(rule) && (isEmpty || getPercent(rule) === 0)) return false;
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
  return jsonEqual(toVariantChoice(one), toVariantChoice(other));
}

/** Returns whether both strategies have the same definition, so that each library decides equally. */
function isIdentical(one: AudienceRule, other: AudienceRule): boolean {
  const [constraints, others] = [one.constraints ?? [], other.constraints ?? []];
  return (
    hasSameRule(one, other) &&
    constraints.length === others.length &&
    constraints.every((constraint, index) => others[index] && isSameConstraint(constraint, others[index])) &&
    jsonEqual(one.segments ?? [], other.segments ?? [])
  );
}

function hasSameRule(one: AudienceRule, other: AudienceRule): boolean {
  return one.name === other.name && jsonEqual(one.parameters ?? {}, other.parameters ?? {});
}

/** What decides about the variant of a user. Strategies with variants of their own choose them by the group of their rollout. */
function toVariantChoice({ variants, toggleVariants, parameters = {} }: RatedRule): object {
  const [first] = variants ?? [];
  const { groupId = null, stickiness = 'default' } = parameters;
  const ofToggle = toggleVariants.map(omitWeightType);
  if (!first || variants === toggleVariants) return { ofToggle };
  const by = first.stickiness || stickiness;
  return { ofToggle, own: (variants ?? []).map(omitWeightType), groupId, stickiness, by };
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
  return (
    stored.canMatch &&
    isRuleWithin(rule, stored) &&
    (stored.segments ?? []).every((segment) => rule.segments?.includes(segment)) &&
    (stored.constraints ?? []).every(
      (wanted) => isAlways(wanted) || (rule.constraints ?? []).some((constraint) => implies(constraint, wanted)),
    )
  );
}

/** Compares strategies without their constraints and segments. */
function isRuleWithin(rule: AudienceRule, stored: AudienceRule): boolean {
  if (hasSameRule(rule, stored)) return true;
  if (!isPlainRule(stored)) return false;
  const [rollout, wanted] = [getRollout(rule), getRollout(stored)];
  const selectsAll = wanted !== undefined && wanted.percent >= 100;
  if (stored.name === 'default' || (selectsAll && ['default', 'random'].includes(wanted.stickiness))) return true;
  if (!isPlainRule(rule)) return false;
  if (rollout && wanted) {
    const isSmaller = rollout.group === wanted.group && rollout.percent <= wanted.percent;
    return rollout.stickiness === wanted.stickiness && (selectsAll || isSmaller);
  }
  const [listed, all] = [getListed(rule), getListed(stored)];
  if (!listed || !all || rule.name !== stored.name) return false;
  return rule.name === 'remoteAddress'
    ? listed.every((address) => all.some((network) => isAddressWithin(address, network)))
    : isSubset(listed, all);
}

/** The Node libraries compare single addresses as texts. */
function isAddressWithin(address: string, network: string): boolean {
  return address === network || (network.includes('/') && isNetworkWithin(address, network));
}

/** Returns what decides about the users of a rollout; undefined for other strategies. */
function getRollout(rule: AudienceRule) {
  const percent = getPercent(rule);
  if (percent === undefined) return undefined;
  const { stickiness = 'default', groupId } = rule.parameters ?? {};
  switch (rule.name) {
    case 'gradualRolloutRandom':
      return { percent, stickiness: 'random', group: undefined };
    case 'gradualRolloutUserId':
      return { percent, stickiness: 'userId', group: groupId };
    case 'gradualRolloutSessionId':
      return { percent, stickiness: 'sessionId', group: groupId };
    default:
      return { percent, stickiness, group: groupId };
  }
}

/** The users, hosts or addresses that a built-in strategy lists; undefined for other strategies. */
function getListed({ name, parameters = {} }: AudienceRule): string[] | undefined {
  const list = getBuiltInList(name);
  return list && splitItems(parameters[list] ?? '').filter((item) => item !== '');
}
