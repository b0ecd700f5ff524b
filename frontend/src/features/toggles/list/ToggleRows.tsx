// Rows of the toggle list, with selection and bulk actions.
import type { Toggle } from '@/api/generated/types';
import type { CountsByName } from '@/domain/toggles/toggleList';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { useStore } from '@/lib/store';
import { LazyBoundary } from '@/ui/LazyBoundary';
import { NoMatches } from '@/ui/NoMatches';
import { bulkState } from '../bulk/bulkState';
import { useSelection } from '../bulk/useSelection';
import { ToggleTable } from './ToggleTable';

const BulkBar = lazyInIdle(() => import('../bulk/BulkBar').then((part) => part.BulkBar));

const NONE: readonly Toggle[] = [];

interface Props {
  /** Filtered toggles; undefined while loading. */
  toggles: readonly Toggle[] | undefined;
  total: number;
  counts: CountsByName | undefined;
  onClearFilters: () => void;
}

export function ToggleRows({ toggles, total, counts, onClearFilters }: Props) {
  const selection = useSelection(toggles ?? NONE);
  const bulk = useStore(bulkState);
  return (
    <>
      {toggles?.length === 0 ? (
        <NoMatches total={total} onClear={onClearFilters} />
      ) : (
        <ToggleTable toggles={toggles} counts={counts} selection={selection} />
      )}
      {(selection.toggles.length > 0 || bulk) && (
        <LazyBoundary>
          <BulkBar selection={selection} total={toggles?.length ?? 0} bulk={bulk} />
        </LazyBoundary>
      )}
    </>
  );
}
