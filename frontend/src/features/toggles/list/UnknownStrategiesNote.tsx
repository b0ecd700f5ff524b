import { Button } from '@/ui/Button';
import type { StrategiesOnDemand } from './useStrategiesOnDemand';

interface Props extends Pick<StrategiesOnDemand, 'isLoading' | 'error' | 'load'> {
  /** The list is sorted by strategies, instead of only searched. */
  isSorted: boolean;
}

/** Says that a filter or a sort order ignores the strategies, and offers to load them. */
export function UnknownStrategiesNote({ isSorted, isLoading, error, load }: Props) {
  const effect = isSorted ? 'The list is not sorted by strategies' : 'The filter does not search strategies';
  return (
    <div role="note" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-sunken px-4 py-2">
      <p className="min-w-0 flex-1 text-muted text-secondary">
        {error ? `The strategies could not be loaded. ${error.message}` : `${effect}: they are not loaded.`}
      </p>
      <Button size="small" busy={isLoading} onClick={load}>
        {error ? 'Retry' : 'Load strategies'}
      </Button>
    </div>
  );
}
