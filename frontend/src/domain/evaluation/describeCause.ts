// Describes why a toggle has its result, in one sentence.
import type { Explanation, SegmentReason, StrategyReason } from '@/api/generated/types';
import { joinFirst } from '@/lib/joinFirst';
import { describeConstraintReason, describeDecision, describeRule } from './describeReason';

/** Constraints that the sentence describes. */
const MAX_CONSTRAINTS = 2;

/** Describes the decision with the cause of the deciding strategy. `labels` are the names of the strategies. */
export function describeCause(reasons: Explanation, labels: readonly string[], locale: string): string {
  const { decision, strategies, strategy: index } = reasons;
  const sentence = describeDecision(reasons, labels);
  if (decision === 'noStrategyMatches') return describeNoMatch(reasons, labels, locale);
  const deciding = decision === 'strategyMatches' && index !== undefined ? strategies[index] : undefined;
  const cause = deciding && describeMatch(deciding, locale);
  return cause ? `${sentence.slice(0, -1)}: ${cause}.` : sentence;
}

function describeNoMatch({ strategies }: Explanation, labels: readonly string[], locale: string): string {
  const enabled = strategies.flatMap((strategy, index) => (strategy.disabled ? [] : [{ strategy, index }]));
  const [only, ...others] = enabled;
  if (!only || others.length > 0) return `None of the ${enabled.length} strategies matches.`;
  const label = labels[only.index] ?? only.strategy.name;
  return `Strategy "${label}" does not match: ${describeMismatch(only.strategy, locale)}.`;
}

/** Describes why a strategy matches; undefined if the sentence about the decision says it. */
function describeMatch({ result, rule, constraints, segments }: StrategyReason, locale: string): string | undefined {
  if (result !== 'on') return undefined;
  if (rule.code !== 'always') return describeRule(rule, locale);
  const conditions = [...constraints.map(describeConstraintReason), ...segments.map(describeSegment)];
  return conditions.length > 0 ? joinFirst(conditions, MAX_CONSTRAINTS) : 'it is on for everyone';
}

function describeMismatch({ rule, constraints, segments }: StrategyReason, locale: string): string {
  const constraint = constraints.find(({ matches }) => !matches);
  if (constraint) return describeConstraintReason(constraint);
  const segment = segments.find(({ matches }) => !matches);
  return segment ? describeSegment(segment) : describeRule(rule, locale);
}

function describeSegment({ id, name = id, missing, matches }: SegmentReason): string {
  if (missing) return `segment ${name} does not exist`;
  return matches ? `segment ${name} matches` : `segment ${name} does not match`;
}
