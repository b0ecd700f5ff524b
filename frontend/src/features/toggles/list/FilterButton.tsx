import { ListFilter } from 'lucide-react';
import type { ToggleFacets } from '@/domain/toggles/toggleFacets';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { LazyBoundary } from '@/ui/LazyBoundary';
import { Popover } from '@/ui/Popover';
import type { NarrowFacets } from './useToggleFilters';

const FilterPanel = lazyInIdle(() => import('./FilterPanel').then((part) => part.FilterPanel));

interface Props {
  facets: ToggleFacets;
  onChange: NarrowFacets;
}

export function FilterButton({ facets, onChange }: Props) {
  return (
    <Popover label="Filter" icon={<ListFilter size={16} strokeWidth={1.75} aria-hidden="true" />}>
      {() => (
        <LazyBoundary>
          <FilterPanel facets={facets} onChange={onChange} />
        </LazyBoundary>
      )}
    </Popover>
  );
}
