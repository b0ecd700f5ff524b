import { useState } from 'react';
import type { ResultChange } from '@/api/generated/types';
import { useLocale } from '@/lib/locale';
import { Button } from '@/ui/Button';
import { Progress } from '@/ui/Progress';
import { ChangedContextsDialog } from './ChangedContextsDialog';
import { describeCounts, describeEffect } from './describeEffect';
import { EvaluationFailure } from './EvaluationFailure';
import { PopulationTable } from './PopulationTable';
import type { Population } from './parsePopulation';
import type { Versions } from './useLab';
import { usePopulation } from './usePopulation';

/** Counts of the results for the population, and the effect of unsaved edits on them. */
export function PopulationResult({ versions }: { versions: Versions }) {
  const { population, result, error, retry, isRunning } = usePopulation(versions);
  const locale = useLocale();
  if (error) return <EvaluationFailure error={error} onRetry={retry} />;
  if (!population || !result) return <Progress label="Evaluating" />;
  const total = population.contexts.length;
  return (
    <div className="grid gap-3">
      <p role="status" aria-busy={isRunning} className="text-secondary">
        {result.change ? describeEffect(result.change, total, locale) : describeCounts(result.saved.counts, locale)}
      </p>
      {result.change && <ChangedContexts change={result.change} population={population} />}
      <PopulationTable result={result} total={total} />
    </div>
  );
}

interface ChangedContextsProps {
  change: ResultChange;
  population: Population;
}

function ChangedContexts({ change, population }: ChangedContextsProps) {
  const [isOpen, setOpen] = useState(false);
  if (Object.values(change).every(({ length }) => length === 0)) return null;
  return (
    <div>
      <Button size="small" onClick={() => setOpen(true)}>
        Show changed results
      </Button>
      <ChangedContextsDialog open={isOpen} change={change} population={population} onClose={() => setOpen(false)} />
    </div>
  );
}
