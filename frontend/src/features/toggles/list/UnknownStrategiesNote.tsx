import { Button } from '@/ui/Button';
import type { StrategiesOnDemand } from './useStrategiesOnDemand';

interface Props extends Pick<StrategiesOnDemand, 'isPartlyKnown' | 'isLoading' | 'error' | 'load'> {
  /** The list is sorted by strategies, instead of only searched. */
  isSorted: boolean;
}

/** Says that a filter or a sort order ignores strategies, and offers to load them. */
export function UnknownStrategiesNote({ isSorted, isPartlyKnown, isLoading, error, load }: Props) {
  const effect = isPartlyKnown ? partialEffect(isSorted) : absentEffect(isSorted);
  const action = isPartlyKnown ? 'Load all strategies' : 'Load strategies';
  return (
    <div role="note" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-sunken px-4 py-2">
      <p className="min-w-0 flex-1 text-muted text-secondary">
        {error ? `The strategies could not be loaded. ${error.message}` : effect}
      </p>
      <Button size="small" busy={isLoading} onClick={load}>
        {error ? 'Retry' : action}
      </Button>
    </div>
  );
}

function absentEffect(isSorted: boolean): string {
  const effect = isSorted ? 'The list is not sorted by strategies' : 'The filter does not search strategies';
  return `${effect}: they are not loaded.`;
}

function partialEffect(isSorted: boolean): string {
  const effect = isSorted ? 'The list is sorted by' : 'The filter searches';
  return `${effect} enabled strategies without their titles.`;
}
