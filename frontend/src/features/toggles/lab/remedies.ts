// Reasons why a strategy does or does not match a context, each with an edit that changes it. Pure functions.
import type { ConstraintReason, Strategy, StrategyReason } from '@/api/generated/types';
import { describeConstraintReason } from '@/domain/evaluation/describeReason';
import { matchesRule } from '@/domain/evaluation/nearestMiss';
import { getBuiltInList, getShareParameter } from '@/domain/strategies/builtInStrategies';
import { describeConstraint } from '@/domain/strategies/describeConstraint';
import { splitList } from '@/lib/text';

/** An edit of a strategy after which a condition matches. */
export interface Remedy {
  /** Index of the strategy. */
  strategy: number;
  label: string;
  edit:
    | { kind: 'parameter'; parameter: string; value: string }
    | { kind: 'add' | 'removeValue'; constraint: number; value: string }
    | { kind: 'enable' };
}

/** One condition of a strategy. */
export interface Condition {
  matches: boolean;
  /** Sentence without a period. */
  text: string;
  remedy?: Remedy;
}

/** Returns the edited strategy. */
export function applyRemedy(strategy: Strategy, { edit }: Remedy): Strategy {
  switch (edit.kind) {
    case 'parameter':
      return { ...strategy, parameters: { ...strategy.parameters, [edit.parameter]: edit.value } };
    case 'enable':
      return { ...strategy, disabled: false };
    case 'add':
    case 'removeValue':
      return {
        ...strategy,
        constraints: (strategy.constraints ?? []).map((constraint, index) => {
          if (index !== edit.constraint) return constraint;
          const others = (constraint.values ?? []).filter((value) => value !== edit.value);
          return { ...constraint, values: edit.kind === 'add' ? [...others, edit.value] : others };
        }),
      };
  }
}

/** Explains a strategy by its conditions, all of which must match. `canEnable`: the server has disabled strategies. */
export function explainStrategy(
  strategy: Strategy,
  reason: StrategyReason,
  index: number,
  { canEnable = false } = {},
): Condition[] {
  if (reason.disabled) {
    const remedy: Remedy = { strategy: index, label: 'Enable', edit: { kind: 'enable' } };
    return [{ matches: false, text: 'The strategy is disabled', ...(canEnable && { remedy }) }];
  }
  const constraints = reason.constraints.map((one, at) => explainConstraint(strategy, one, { index, at }));
  const segments = reason.segments.map(({ id, name = id, missing, matches }) => ({
    matches,
    text: missing ? `Segment ${name} does not exist` : `${matches ? 'In' : 'Not in'} segment ${name}`,
  }));
  const own = explainRule(strategy, reason, index);
  const others = [...constraints, ...segments];
  // Everyone matches the rule itself: only its constraints decide.
  return reason.rule.code === 'always' && others.length > 0 ? others : [...others, own];
}

function explainRule(strategy: Strategy, { rule }: StrategyReason, index: number): Condition {
  const matches = matchesRule(rule);
  const share = getShareParameter(strategy.name);
  const list = getBuiltInList(strategy.name);
  const entries = list === undefined ? [] : splitList(strategy.parameters?.[list] ?? '');
  const listed = (value: string): Pick<Condition, 'remedy'> =>
    list === undefined || /[,\n]/u.test(value)
      ? {}
      : {
          remedy: {
            strategy: index,
            label: `Add ${value}`,
            edit: { kind: 'parameter', parameter: list, value: [...entries, value].join(',') },
          },
        };
  switch (rule.code) {
    case 'always':
      return { matches, text: 'On for everyone' };
    case 'listed':
      return { matches, text: `${rule.value} is listed` };
    case 'notListed':
      if (rule.value === undefined) return { matches, text: 'userId is missing' };
      return {
        matches,
        text: `${rule.value} is not ${entries.length === 1 ? entries[0] : `one of ${entries.length} users`}`,
        ...listed(rule.value),
      };
    case 'inNetwork':
      return { matches, text: `${rule.value} is in a listed network` };
    case 'notInNetwork':
      if (rule.value === undefined) return { matches, text: 'remoteAddress is missing' };
      return { matches, text: `${rule.value} is in no listed network`, ...listed(rule.value) };
    case 'bucket': {
      if (matches) return { matches, text: `${rule.value} is at ${rule.bucket}, within ${rule.percentage} %` };
      const edit = share && { kind: 'parameter' as const, parameter: share, value: `${rule.bucket}` };
      return {
        matches,
        text: `${rule.value} is at ${rule.bucket}; gets it from ${rule.bucket} % on`,
        ...(edit && { remedy: { strategy: index, label: `Set ${rule.bucket} %`, edit } }),
      };
    }
    case 'missingField':
      return { matches, text: `${rule.field} is missing` };
    case 'random':
      return { matches, text: `On for ${rule.percentage} % of requests, at random` };
    case 'invalidPercentage':
      return {
        matches,
        text: rule.value === undefined ? 'The percentage is missing' : `${rule.value} is not a percentage`,
      };
    case 'application':
      return { matches, text: 'Only the application can evaluate this strategy' };
  }
}

function explainConstraint(
  strategy: Strategy,
  reason: ConstraintReason,
  { index, at }: { index: number; at: number },
): Condition {
  const constraint = strategy.constraints?.[at];
  const { problem, ...compared } = reason;
  const { value, matches } = compared;
  const found = describeConstraintReason(compared);
  if (matches || !constraint) return { matches, text: found };
  if (problem) return { matches, text: `${found}; the constraint cannot be evaluated` };
  const text = `${found}; required: ${describeConstraint(constraint, 3)}`;
  const { operator, inverted, values } = constraint;
  const isList = ['IN', 'NOT_IN'].includes(operator) && Array.isArray(values) && value !== undefined && value !== '';
  if (!isList) return { matches, text };
  const adds = (operator === 'IN') !== (inverted === true);
  return {
    matches,
    text,
    remedy: {
      strategy: index,
      label: adds ? `Add ${value}` : `Remove ${value}`,
      edit: { kind: adds ? 'add' : 'removeValue', constraint: at, value },
    },
  };
}

/** Returns the context fields that decide about a toggle, in the order of its strategies. */
export function getDecidingFields(strategies: readonly Strategy[]): string[] {
  const fields = strategies.flatMap(({ name, parameters = {}, constraints }) => [
    ...getRuleFields(name, parameters['stickiness']),
    ...(constraints ?? []).map(({ contextName }) => contextName),
  ]);
  return [...new Set(fields)].filter((name) => name !== '');
}

function getRuleFields(name: string, stickiness = 'default'): string[] {
  switch (name) {
    case 'flexibleRollout':
      if (stickiness === 'random') return [];
      return ['default', ''].includes(stickiness) ? ['userId'] : [stickiness];
    case 'userWithId':
    case 'gradualRolloutUserId':
      return ['userId'];
    case 'gradualRolloutSessionId':
      return ['sessionId'];
    case 'remoteAddress':
      return ['remoteAddress'];
    default:
      return [];
  }
}
