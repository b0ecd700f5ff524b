// Rows of the toggle list, with selection and bulk actions.
import type { Toggle } from '@/api/generated/types';
import type { CountsByName } from '@/domain/toggles/toggleList';
import { useStore } from '@/lib/store';
import type { Sorting } from '@/ui/GridColumn';
import { lazyDialog } from '@/ui/lazy';
import { NoMatches } from '@/ui/NoMatches';
import { bulkState } from '../bulk/bulkState';
import { useSelection } from '../bulk/useSelection';
import { ToggleTable } from './ToggleTable';

const BulkBar = lazyDialog(() => import('../bulk/BulkBar'), 'BulkBar');

const NONE: readonly Toggle[] = [];

interface Props {
  /** Filtered toggles; undefined while loading. */
  toggles: readonly Toggle[] | undefined;
  total: number;
  counts: CountsByName | undefined;
  sorting: Sorting;
  onClearFilters: () => void;
}

export function ToggleRows({ toggles, total, counts, sorting, onClearFilters }: Props) {
  const selection = useSelection(toggles ?? NONE);
  const bulk = useStore(bulkState);
  return (
    <>
      {toggles?.length === 0 ? (
        <NoMatches total={total} onClear={onClearFilters} />
      ) : (
        <ToggleTable toggles={toggles} counts={counts} selection={selection} sorting={sorting} />
      )}
      {(selection.toggles.length > 0 || bulk) && (
        <BulkBar selection={selection} total={toggles?.length ?? 0} bulk={bulk} />
      )}
    </>
  );
}
