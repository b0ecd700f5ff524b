// The strategy that is closest to matching a context. Pure function.
import type { RuleReason, StrategyReason } from '@/api/generated/types';

/** Returns the index of the strategy with the fewest conditions that do not match; undefined without one. */
export function findNearestMiss(strategies: readonly StrategyReason[]): number | undefined {
  const missed = strategies.flatMap((reason, index) =>
    reason.result === 'off' && !reason.disabled ? [{ index, cost: getCost(reason) }] : [],
  );
  return missed.toSorted((a, b) => a.cost - b.cost || a.index - b.index)[0]?.index;
}

/** One for each condition that does not match. A rollout that is missed by less costs less. */
function getCost({ rule, constraints, segments }: StrategyReason): number {
  const conditions = [...constraints, ...segments].filter(({ matches }) => !matches).length;
  if (matchesRule(rule)) return conditions;
  const distance = rule.code === 'bucket' ? (rule.bucket - rule.percentage) / 100 : 1;
  return conditions + 0.5 + distance / 2;
}

/** Returns whether a strategy matches without its constraints and segments. */
export function matchesRule(rule: RuleReason): boolean {
  switch (rule.code) {
    case 'always':
    case 'listed':
    case 'inNetwork':
    case 'random':
    case 'application':
      return true;
    case 'bucket':
      return rule.percentage > 0 && rule.bucket <= rule.percentage;
    case 'notListed':
    case 'notInNetwork':
    case 'missingField':
    case 'invalidPercentage':
      return false;
  }
}
