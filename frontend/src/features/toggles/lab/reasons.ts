// Passes the results of the panel to the strategy cards.
import { createContext, useContext } from 'react';
import type { ContextResult, Strategy, StrategyReason, Toggle } from '@/api/generated/types';

/** A value before and after the unsaved edits. */
export interface Sides<T> {
  saved?: T | undefined;
  /** Absent without unsaved edits. */
  edited?: T | undefined;
}

/** Identifies a strategy while others come, go and move. */
export type StrategyKey = number | string;

/** A version of the toggle that was evaluated, and its result. The toggle may have changed since. */
export interface EvaluatedVersion extends Pick<Toggle, 'strategies' | 'variants'> {
  /** Keys of the strategies, in their order. */
  keys: readonly StrategyKey[];
  result: ContextResult;
}

/** A strategy as it was evaluated, and why it has its result. */
export interface ExplainedStrategy {
  strategy: Strategy;
  reason: StrategyReason;
}

/** Finds the reason of a strategy. Undefined if another version was evaluated, without the strategy. */
export function findReason(version: EvaluatedVersion | undefined, key: StrategyKey): ExplainedStrategy | undefined {
  const index = version?.keys.indexOf(key) ?? -1;
  const [strategy, reason] = [version?.strategies[index], version?.result.reasons?.strategies[index]];
  return strategy && reason && { strategy, reason };
}

/** Returns keys of strategies that cannot be edited: one that was changed or moved on the server is another strategy. */
export function getReadOnlyKeys(strategies: readonly Strategy[]): string[] {
  return strategies.map((strategy, index) => `${index} ${JSON.stringify(strategy)}`);
}

/** Result of the toggle for the context of the panel; empty while the panel is closed. */
export const ResultsContext = createContext<Sides<EvaluatedVersion>>({});

/** Returns the outcomes of a strategy. */
export function useStrategyReasons(key: StrategyKey): Sides<ExplainedStrategy> {
  const { saved, edited } = useContext(ResultsContext);
  return { saved: findReason(saved, key), edited: findReason(edited, key) };
}
