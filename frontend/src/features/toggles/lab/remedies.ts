// Edits that make the conditions of a strategy match a context. Pure functions.
import type { Constraint, ConstraintReason, RuleReason, Strategy, StrategyReason } from '@/api/generated/types';
import { type Condition, getConditions } from '@/domain/evaluation/describeReason';
import { getBuiltInList, getShareParameter } from '@/domain/strategies/builtInStrategies';
import { describeConstraint } from '@/domain/strategies/describeConstraint';
import { formatPercentage } from '@/lib/format';
import { jsonEqual } from '@/lib/json';
import { splitList } from '@/lib/text';

/** An edit of a strategy after which a condition matches. It names what it changes: the strategy may be edited until then. */
export interface Remedy {
  /** Name of the strategy. */
  strategy: string;
  label: string;
  edit:
    | { kind: 'parameter' | 'listItem'; parameter: string; value: string }
    | { kind: 'add' | 'removeValue'; constraint: Constraint; value: string }
    | { kind: 'enable' };
}

/** A condition with its requirement and the edit after which it matches. */
export interface ExplainedCondition extends Condition {
  /** The constraint that does not match, as a phrase. */
  required?: string;
  remedy?: Remedy;
}

/** Returns the edited strategy; unchanged if it no longer has what the remedy edits. */
export function applyRemedy(strategy: Strategy, { strategy: name, edit }: Remedy): Strategy {
  if (strategy.name !== name) return strategy;
  const { parameters = {} } = strategy;
  const constraints = strategy.constraints ?? [];
  switch (edit.kind) {
    case 'parameter':
      return { ...strategy, parameters: { ...parameters, [edit.parameter]: edit.value } };
    case 'listItem': {
      const list = [...splitList(parameters[edit.parameter] ?? ''), edit.value].join(',');
      return { ...strategy, parameters: { ...parameters, [edit.parameter]: list } };
    }
    case 'enable':
      return { ...strategy, disabled: false };
    case 'add':
    case 'removeValue': {
      const at = constraints.findIndex((constraint) => jsonEqual(constraint, edit.constraint));
      return {
        ...strategy,
        constraints: constraints.map((constraint, index) => {
          if (index !== at) return constraint;
          const others = (constraint.values ?? []).filter((value) => value !== edit.value);
          return { ...constraint, values: edit.kind === 'add' ? [...others, edit.value] : others };
        }),
      };
    }
  }
}

interface Options {
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
  const { canEnable, locale } = options;
  switch (source.kind) {
    case 'disabled':
      return canEnable ? { remedy: { strategy: strategy.name, label: 'Enable', edit: { kind: 'enable' } } } : {};
    case 'constraint':
      return explainConstraint(strategy, reason.constraints[source.index], source.index);
    case 'segment':
      return {};
    case 'rule':
      return explainRule(strategy, reason.rule, locale);
  }
}

type Explanation = Pick<ExplainedCondition, 'required' | 'remedy'>;

function explainRule({ name }: Strategy, rule: RuleReason, locale: string): Explanation {
  const edit = (label: string, edited: Remedy['edit']) => ({ remedy: { strategy: name, label, edit: edited } });
  const share = getShareParameter(name);
  if (rule.code === 'bucket' && share !== undefined) {
    const label = `Set ${formatPercentage(rule.bucket, locale)}`;
    return edit(label, { kind: 'parameter', parameter: share, value: `${rule.bucket}` });
  }
  const list = getBuiltInList(name);
  if ((rule.code !== 'notListed' && rule.code !== 'notInNetwork') || list === undefined) return {};
  const { value } = rule;
  if (value === undefined || /[,\n]/u.test(value)) return {};
  return edit(`Add ${value}`, { kind: 'listItem', parameter: list, value });
}

function explainConstraint(strategy: Strategy, reason: ConstraintReason | undefined, at: number): Explanation {
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
      strategy: strategy.name,
      label: adds ? `Add ${value}` : `Remove ${value}`,
      edit: { kind: adds ? 'add' : 'removeValue', constraint, value },
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
