import type { ToggleFacets } from '@/domain/toggles/toggleFacets';
import { FilterIcon } from '@/ui/icons';
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
    <Popover label="Filter" icon={<FilterIcon />}>
      {() => <FilterPanel facets={facets} onChange={onChange} />}
    </Popover>
  );
}
