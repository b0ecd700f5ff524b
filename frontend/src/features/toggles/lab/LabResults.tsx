import type { ReactNode } from 'react';
import { IndexesContext, ResultsContext, type StrategyIndexes } from './reasons';
import type { Lab } from './useLab';

interface ResultsProps {
  lab: Lab;
  children: ReactNode;
}

/** Makes the results of the panel known to the strategy cards. */
export function LabResults({ lab: { saved, edited }, children }: ResultsProps) {
  return <ResultsContext value={{ saved, edited }}>{children}</ResultsContext>;
}

interface StrategyProps extends StrategyIndexes {
  children: ReactNode;
}

/** Selects the results of one strategy for its card. */
export function LabStrategy({ saved, edited, children }: StrategyProps) {
  return <IndexesContext value={{ saved, edited }}>{children}</IndexesContext>;
}
