// Edits that make the conditions of a strategy match a context. Pure functions.
import type { ConstraintReason, RuleReason, Strategy, StrategyReason } from '@/api/generated/types';
import { type Condition, getConditions } from '@/domain/evaluation/describeReason';
import { getBuiltInList, getShareParameter } from '@/domain/strategies/builtInStrategies';
import { describeConstraint } from '@/domain/strategies/describeConstraint';
import { formatPercentage } from '@/lib/format';
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

/** A condition with its requirement and the edit after which it matches. */
export interface ExplainedCondition extends Condition {
  /** The constraint that does not match, as a phrase. */
  required?: string;
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

interface Options {
  /** Index of the strategy. */
  index: number;
  /** The server has disabled strategies. */
  canEnable: boolean;
  locale: string;
}

/** Returns the conditions of a strategy, with remedies for those that do not match. */
export function explainStrategy(strategy: Strategy, reason: StrategyReason, options: Options): ExplainedCondition[] {
  return getConditions(reason, strategy.constraints, options.locale).map((condition) =>
    condition.matches ? condition : { ...condition, ...explain(condition, strategy, reason, options) },
  );
}

function explain({ source }: Condition, strategy: Strategy, reason: StrategyReason, options: Options): Explanation {
  const { index, canEnable, locale } = options;
  switch (source.kind) {
    case 'disabled':
      return canEnable ? { remedy: { strategy: index, label: 'Enable', edit: { kind: 'enable' } } } : {};
    case 'constraint':
      return explainConstraint(strategy, reason.constraints[source.index], source.index, index);
    case 'segment':
      return {};
    case 'rule':
      return explainRule(strategy, reason.rule, index, locale);
  }
}

type Explanation = Pick<ExplainedCondition, 'required' | 'remedy'>;

function explainRule(strategy: Strategy, rule: RuleReason, index: number, locale: string): Explanation {
  const edit = (label: string, parameter: string, value: string) => ({
    remedy: { strategy: index, label, edit: { kind: 'parameter' as const, parameter, value } },
  });
  const share = getShareParameter(strategy.name);
  if (rule.code === 'bucket' && share !== undefined)
    return edit(`Set ${formatPercentage(rule.bucket, locale)}`, share, `${rule.bucket}`);
  const list = getBuiltInList(strategy.name);
  if ((rule.code !== 'notListed' && rule.code !== 'notInNetwork') || list === undefined) return {};
  const { value } = rule;
  if (value === undefined || /[,\n]/u.test(value)) return {};
  return edit(`Add ${value}`, list, [...splitList(strategy.parameters?.[list] ?? ''), value].join(','));
}

function explainConstraint(
  strategy: Strategy,
  reason: ConstraintReason | undefined,
  at: number,
  index: number,
): Explanation {
  const constraint = strategy.constraints?.[at];
  if (!constraint || !reason || reason.problem) return {};
  const { value } = reason;
  const required = describeConstraint(constraint, 3);
  const { operator, inverted, values } = constraint;
  const isList = ['IN', 'NOT_IN'].includes(operator) && Array.isArray(values) && value !== undefined && value !== '';
  if (!isList) return { required };
  const adds = (operator === 'IN') !== (inverted === true);
  return {
    required,
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
