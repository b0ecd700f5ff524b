import { useLocale } from '@/lib/locale';
import { describeEffect } from './describeEffect';
import type { Versions } from './useLab';
import { usePopulation } from './usePopulation';

/** Effect of the reviewed changes on the last population. */
export function ReviewedPopulation({ versions }: { versions: Versions }) {
  const { population, result, error, problem, isRunning } = usePopulation(versions);
  const locale = useLocale();
  const total = population?.contexts.length ?? 0;
  return (
    <div role="status" aria-busy={isRunning} className="mt-1 grid gap-1 text-secondary">
      {!population && (
        <p className="text-muted">No population. Add one under “Try it” to see for whom the result changes.</p>
      )}
      {result && <p>{result.change ? describeEffect(result.change, total, locale) : UNCHANGED}</p>}
      {error && <p className="text-danger">{error.message}</p>}
      {problem && <p className="text-warn">{problem}</p>}
    </div>
  );
}

const UNCHANGED = 'This edit changes no result.';
