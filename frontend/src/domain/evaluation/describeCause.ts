// The cause of a result in one or two sentences, for rows. Pure functions.
import type { Explanation, Strategy, StrategyReason } from '@/api/generated/types';
import { describePastHold } from '@/domain/past/describeRecording';
import { describeSubject } from '@/domain/strategies/ruleSentence';
import { describeDecision, describeVerdict } from './describeReason';
import { findNearestMiss } from './nearestMiss';

interface Options {
  locale: string;
  /** The rules are beside the text, so that their numbers are enough. */
  omitsRules?: boolean;
}

/** Describes the decision with the cause of the deciding rule, and the hold that SDKs got. */
export function describeCause(reasons: Explanation, strategies: readonly Strategy[], options: Options): string {
  const { locale } = options;
  const cause = describeRules(reasons, strategies, options);
  return reasons.hold ? `${cause} ${describePastHold(reasons.hold, locale)}` : cause;
}

function describeRules(
  reasons: Explanation,
  strategies: readonly Strategy[],
  { locale, omitsRules = false }: Options,
): string {
  const { decision, strategy: index } = reasons;
  const sentence = describeDecision(reasons);
  const describeAt = (at: number, reason: StrategyReason) =>
    describeVerdict(reason, strategies[at]?.constraints, locale);
  if (decision === 'noStrategyMatches') return describeNoMatch(reasons, omitsRules ? [] : strategies, describeAt);
  if (decision !== 'strategyMatches' || index === undefined) return sentence;
  const [deciding, rule] = [reasons.strategies[index], strategies[index]];
  if (deciding?.result === 'on') return `${sentence.slice(0, -1)}: ${describeAt(index, deciding)}.`;
  return rule && !omitsRules ? `${sentence.slice(0, -1)}: ${describeSubject(rule)}.` : sentence;
}

type DescribeAt = (index: number, reason: StrategyReason) => string;

function describeNoMatch(
  { strategies: reasons }: Explanation,
  strategies: readonly Strategy[],
  describeAt: DescribeAt,
): string {
  const nearest = findNearestMiss(reasons);
  const missed = nearest === undefined ? undefined : reasons[nearest];
  if (nearest === undefined || !missed) return 'No rule matches.';
  const reason = describeAt(nearest, missed);
  if (reasons.filter(({ disabled }) => !disabled).length === 1) return `Rule ${nearest + 1} does not match: ${reason}.`;
  const rule = strategies[nearest];
  return `No rule matches. Nearest: rule ${nearest + 1}${rule ? ` (${describeSubject(rule)})` : ''}, ${reason}.`;
}
