// Describes results of the evaluation and their reasons, for all pages. Phrases have no period, because they follow a label.
import type {
  Constraint,
  ConstraintProblem,
  ConstraintReason,
  ContextResult,
  Explanation,
  Library,
  ParentReason,
  RuleReason,
  SegmentReason,
  StrategyReason,
  VariantReason,
  VariantSelection,
} from '@/api/generated/types';
import { describeConstraint } from '@/domain/strategies/describeConstraint';
import { findOperator } from '@/domain/strategies/operators';
import { formatNumber, formatPercentage } from '@/lib/format';
import { matchesRule } from './nearestMiss';

type Result = Pick<ContextResult, 'result' | 'probability'>;

/** Describes a result, such as `On with a probability of 25 %`. */
export function describeResult({ result, probability = 0 }: Result, locale: string): string {
  switch (result) {
    case 'on':
      return 'On';
    case 'off':
      return 'Off';
    case 'application':
      return 'The application decides';
    case 'random':
      return `On with a probability of ${formatProbability(probability, locale)}`;
  }
}

const LIBRARIES: { readonly [library in Library]: string } = { node: 'Node', node3: 'Node 3', python: 'Python' };

/** Describes the cause of a result in sentences. */
export function describeDecision(reasons: Explanation): string {
  const { differing = [] } = reasons;
  const cause = describeCause(reasons);
  if (differing.length === 0) return cause;
  return `${cause} Client libraries differ: the result may be another one in ${listLibraries(differing)}.`;
}

function listLibraries(libraries: readonly Library[]): string {
  return libraries.map((library) => LIBRARIES[library]).join(', ');
}

function describeCause(reasons: Explanation): string {
  switch (reasons.decision) {
    case 'unknownToggle':
      return 'This toggle does not exist.';
    case 'toggleDisabled':
      return 'The toggle is switched off.';
    case 'parentNotSatisfied':
      return describeUnsatisfiedParent(reasons);
    case 'noStrategies':
      return 'The toggle has no strategies, so it is on for everyone.';
    case 'allStrategiesDisabled':
      return 'All strategies are disabled.';
    case 'strategyMatches':
      return describeDecidingStrategy(reasons);
    case 'noStrategyMatches':
      return 'No rule matches.';
  }
}

function describeUnsatisfiedParent({ parents }: Explanation): string {
  const parent = parents.find(({ result }) => result === 'off');
  return parent ? `The condition on the parent toggle "${parent.name}" does not hold.` : 'A parent toggle is off.';
}

function describeDecidingStrategy({ strategy: index = 0, strategies }: Explanation): string {
  const result = strategies[index]?.result;
  if (result === 'application') return `Only the application can evaluate rule ${index + 1}.`;
  return `Rule ${index + 1} ${result === 'random' ? 'selects at random' : 'matches'}.`;
}

/** A condition of a strategy. All must match. */
export interface Condition {
  matches: boolean;
  /** Phrase such as `region is eu`. */
  text: string;
  /** Phrase that also contains what the value was compared with, such as `region eu is not Nordics`. Default: the text. */
  comparison?: string;
  source:
    | { readonly kind: 'disabled' | 'rule' }
    /** A constraint, with its index in the strategy. */
    | { readonly kind: 'constraint'; readonly index: number }
    | { readonly kind: 'segment'; readonly conditions: readonly Condition[] };
}

type Constraints = readonly Constraint[] | null | undefined;

/** Returns the conditions of a strategy with the given constraints. A rule that selects everyone is none, beside others. */
export function getConditions(reason: StrategyReason, constraints: Constraints, locale: string): Condition[] {
  if (reason.disabled) return [{ matches: false, text: 'the strategy is disabled', source: { kind: 'disabled' } }];
  const { rule, segments } = reason;
  const conditions = [
    ...toConditions(reason.constraints, constraints),
    ...segments.map((segment) => ({
      matches: segment.matches,
      text: describeSegment(segment),
      source: { kind: 'segment' as const, conditions: toConditions(segment.constraints, undefined) },
    })),
  ];
  if (rule.code === 'always' && conditions.length > 0) return conditions;
  return [...conditions, { matches: matchesRule(rule), text: describeRule(rule, locale), source: { kind: 'rule' } }];
}

function toConditions(reasons: readonly ConstraintReason[], constraints: Constraints): Condition[] {
  return reasons.map((reason, index) => ({
    matches: reason.matches,
    text: describeConstraintReason(reason, describeFound(reason, constraints?.[index])),
    comparison: describeConstraintReason(reason, describeCompared(reason, constraints?.[index])),
    source: { kind: 'constraint', index },
  }));
}

/** Number of values of a constraint. */
const MAX_VALUES = 3;

/** Number of conditions in a verdict. */
const MAX_CONDITIONS = 2;

/** Describes why a strategy does or does not match: the conditions that do not match, or else its rule. */
export function describeVerdict(reason: StrategyReason, constraints: Constraints, locale: string): string {
  const conditions = getConditions(reason, constraints, locale);
  const missed = conditions.filter(({ matches }) => !matches);
  const rules = conditions.filter(({ source }) => source.kind === 'rule');
  const [shown = conditions] = [missed, rules].filter(({ length }) => length > 0);
  const texts = shown.slice(0, MAX_CONDITIONS).map(({ text, comparison = text }) => comparison);
  const more = shown.length - texts.length;
  return [...texts, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** Describes the outcome of a strategy without its constraints and segments. */
function describeRule(rule: RuleReason, locale: string): string {
  switch (rule.code) {
    case 'always':
      return 'everyone gets it';
    case 'listed':
      return `${show(rule.value)} is listed`;
    case 'notListed':
      return rule.value === undefined ? 'userId is missing' : `${show(rule.value)} is not listed`;
    case 'inNetwork':
      return `${show(rule.value)} is in a listed network`;
    case 'notInNetwork':
      return rule.value === undefined ? 'remoteAddress is missing' : `${show(rule.value)} is in no listed network`;
    case 'bucket': {
      const side = matchesRule(rule) ? 'within' : 'above';
      const rollout = formatPercentage(rule.percentage, locale);
      return `${show(rule.value)} is at ${rule.bucket} of 100, ${side} the rollout of ${rollout}`;
    }
    case 'missingField':
      return `${rule.field} is missing`;
    case 'random':
      return `selects ${formatPercentage(rule.percentage, locale)} at random`;
    case 'invalidPercentage':
      return rule.value === undefined
        ? 'the percentage is missing'
        : `the percentage ${show(rule.value)} is not a number`;
    case 'application':
      return 'only the application can evaluate this strategy';
  }
}

function describeSegment({ id, name = id, missing, matches }: SegmentReason): string {
  if (missing) return `segment ${name} does not exist`;
  return `${matches ? 'in' : 'not in'} segment ${name}`;
}

const PROBLEMS: { readonly [problem in ConstraintProblem]: string } = {
  unknownOperator: 'the operator is unknown',
  invalidNumber: 'the value of the constraint is not a number',
  invalidTime: 'the value of the constraint is not a time',
  invalidVersion: 'the value of the constraint is not a version',
  invalidPattern: 'the pattern of the constraint is not supported',
  invalidNetwork: 'a value of the constraint is not a network',
};

function describeConstraintReason({ differing = [] }: ConstraintReason, found: string): string {
  return differing.length > 0 ? `${found}; may differ in ${listLibraries(differing)}` : found;
}

/** Describes the value with what it was compared with, such as `7 is not one of guest, trial`. The userId needs no name. */
function describeCompared(reason: ConstraintReason, constraint: Constraint | undefined): string {
  const { field, value, matches, problem } = reason;
  const isKnown = constraint?.contextName === field && findOperator(constraint.operator) !== undefined;
  if (!isKnown || value === undefined || problem) return describeFound(reason, constraint);
  // A value that is in a list is all that the list says.
  if (matches && constraint.operator === (constraint.inverted ? 'NOT_IN' : 'IN'))
    return describeFound(reason, constraint);
  const subject = field === 'userId' ? show(value) : `${field} ${show(value)}`;
  return describeConstraint(
    { ...constraint, contextName: subject, inverted: matches === (constraint.inverted ?? false) },
    MAX_VALUES,
  );
}

/**
 * Describes the value that a constraint was compared with, such as `region is eu`. A missing value that matches is
 * described by the constraint, such as `userId is not one of guest, trial`.
 */
function describeFound(
  { field, value, matches, problem }: ConstraintReason,
  constraint: Constraint | undefined,
): string {
  if (matches && value === undefined && constraint?.contextName === field)
    return describeConstraint(constraint, MAX_VALUES);
  const found = value === undefined ? `${field} is missing` : `${field} is ${show(value)}`;
  return problem ? `${found}; ${PROBLEMS[problem]}` : found;
}

/** Describes a condition on a parent toggle and the parent's result. */
export function describeParent(parent: ParentReason, locale: string): string {
  const condition = `${parent.name} must be ${parent.expectsEnabled ? 'on' : 'off'}`;
  if (parent.problem === 'missing') return `${condition}; it does not exist`;
  if (parent.problem === 'hasParents') return `${condition}; it has parents itself, which is not allowed`;
  return `${condition}; ${describeParentResult(parent, locale)}`;
}

function describeParentResult(parent: ParentReason, locale: string): string {
  const { parentResult = 'off', parentVariant } = parent;
  const variant = parentVariant === undefined ? '' : ` with variant ${parentVariant}`;
  switch (parentResult) {
    case 'on':
      return `it is on${variant}`;
    case 'off':
      return 'it is off';
    case 'application':
      return 'the application decides';
    case 'random':
      return parent.probability === undefined
        ? 'it is on at random'
        : `it holds with a probability of ${formatProbability(parent.probability, locale)}`;
  }
}

/** Describes the variant and its selection; undefined if the toggle and its strategies have none. */
export function describeVariant(
  { variant }: Pick<ContextResult, 'variant'>,
  reason: VariantReason | undefined,
  locale: string,
): string | undefined {
  if (!reason) return undefined;
  const selection = describeSelection(variant, reason.selection, locale);
  return reason.certain ? selection : `${selection}, unless an earlier strategy matches`;
}

function describeSelection(variant = 'none', selection: VariantSelection, locale: string): string {
  switch (selection.code) {
    case 'none':
      return 'none';
    case 'single':
      return `${variant}: it has the whole weight`;
    case 'override':
      return `${variant}: override for ${selection.field} ${show(selection.value)}`;
    case 'bucket': {
      const { field, value, bucket, buckets } = selection;
      return `${variant}: ${field} ${show(value)} falls on ${formatNumber(bucket, locale)} of ${formatNumber(buckets, locale)}`;
    }
    case 'random': {
      const shares = selection.shares.map(
        ({ name, probability }) => `${name} ${formatProbability(probability, locale)}`,
      );
      return `at random: ${shares.join(', ')}`;
    }
  }
}

/** Formats a probability between 0 and 1 as a percentage. */
export function formatProbability(probability: number, locale: string): string {
  return formatPercentage(Math.round(probability * 1000) / 10, locale);
}

/** Makes an empty value visible. */
function show(value: string): string {
  return value === '' ? '""' : value;
}

/**
 * Returns the id or the group of a result that is hashed and contains letters outside ASCII. The library for Node.js hashes
 * one byte of each letter, the others hash UTF-8, so their results differ.
 */
export function findNonAsciiHash({ strategies, variant }: Explanation): string | undefined {
  const rules = [...strategies.map(({ rule }) => rule), variant?.selection];
  const hashed = rules.flatMap((rule) => (rule?.code === 'bucket' ? [rule.value, rule.group] : []));
  return hashed.find((text) => /\P{ASCII}/u.test(text));
}
