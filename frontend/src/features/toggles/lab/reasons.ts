// Passes the results of the panel to the strategy cards.
import { createContext, useContext } from 'react';
import type { ContextResult, StrategyReason } from '@/api/generated/types';

/** A value before and after the unsaved edits. */
export interface Sides<T> {
  saved?: T | undefined;
  /** Absent without unsaved edits. */
  edited?: T | undefined;
}

/** Result of the toggle for the context of the panel; empty while the panel is closed. */
export const ResultsContext = createContext<Sides<ContextResult>>({});

/** Indexes of a strategy in the stored toggle and in the edited one. */
export type StrategyIndexes = Sides<number>;

export const IndexesContext = createContext<StrategyIndexes>({});

/** Returns the outcomes of the strategy whose card contains the component. */
export function useStrategyReasons(): Sides<StrategyReason> {
  const { saved, edited } = useContext(ResultsContext);
  const indexes = useContext(IndexesContext);
  return {
    saved: findReason(saved, indexes.saved),
    edited: findReason(edited, indexes.edited),
  };
}

function findReason(result: ContextResult | undefined, index: number | undefined): StrategyReason | undefined {
  return index === undefined ? undefined : result?.reasons?.strategies[index];
}
