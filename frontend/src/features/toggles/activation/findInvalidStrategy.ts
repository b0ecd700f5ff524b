import type { StrategyDefinition } from '@/api/generated/types';
import { getStrategyLabel } from '@/domain/strategies/strategyNames';
import { validateStrategy } from '../saving/rules';
import { type EditedStrategy, isDirty } from './strategyDrafts';

/** Returns the first reason why an edited strategy cannot be saved. */
export function findInvalidStrategy(
  drafts: readonly EditedStrategy[],
  definitions: readonly StrategyDefinition[] = [],
): string | undefined {
  const strategies = drafts.map(({ now }) => now);
  for (const [index, draft] of drafts.entries()) {
    const { now, base, removed } = draft;
    const error = isDirty(draft) && !removed ? validateStrategy(now, definitions, base) : undefined;
    if (error !== undefined) return `${getStrategyLabel(strategies, index)}: ${error}`;
  }
  return undefined;
}
