import { lazyInIdle } from '@/lib/lazyInIdle';
import type { ToggleFacets } from '@/lib/toggleFacets';
import { FilterIcon } from '@/ui/icons';
import { LazyBoundary } from '@/ui/LazyBoundary';
import { Popover } from '@/ui/Popover';
import type { NarrowFacets } from '../useToggleFilters';

const FilterPanel = lazyInIdle(() => import('./FilterPanel').then((part) => part.FilterPanel));

interface Props {
  facets: ToggleFacets;
  onChange: NarrowFacets;
}

export function FilterButton({ facets, onChange }: Props) {
  return (
    <Popover label="Filter" icon={<FilterIcon />}>
      {() => (
        <LazyBoundary>
          <FilterPanel facets={facets} onChange={onChange} />
        </LazyBoundary>
      )}
    </Popover>
  );
}
