import { ListFilter } from 'lucide-react';
import type { ToggleFacets } from '@/domain/toggles/toggleFacets';
import { lazyDialog } from '@/ui/lazy';
import { Popover } from '@/ui/Popover';
import type { NarrowFacets } from './useToggleFilters';

const FilterPanel = lazyDialog(() => import('./FilterPanel'), 'FilterPanel');

interface Props {
  facets: ToggleFacets;
  onChange: NarrowFacets;
}

export function FilterButton({ facets, onChange }: Props) {
  return (
    <Popover label="Filter" icon={<ListFilter size={16} strokeWidth={1.75} aria-hidden="true" />}>
      {() => <FilterPanel facets={facets} onChange={onChange} />}
    </Popover>
  );
}
