// Search of a list, with the filter in the URL.
import { useMemo } from 'react';
import { type ListColumn, matchesColumns, searchedNames } from '@/lib/listColumn';
import { useMatcher } from '@/lib/useMatcher';
import { useUrlParams } from './useUrlParams';

export interface ListSearch<Item> {
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  shown: readonly Item[] | undefined;
  /** Names of the searched columns. */
  by: string;
  filter: string;
  setFilter: (text: string) => void;
}

/** Filters items by the searched columns. `columns` must be a constant. */
export function useListSearch<Item>(
  items: readonly Item[] | undefined,
  columns: readonly ListColumn<Item>[],
): ListSearch<Item> {
  const [params, changeParams] = useUrlParams();
  const filter = params.get('filter') ?? '';
  const { matches } = useMatcher(filter);
  const shown = useMemo(
    () => items?.filter((item) => matchesColumns(item, columns, matches)),
    [items, matches, columns],
  );

  function setFilter(text: string) {
    changeParams((current) => {
      if (text === '') current.delete('filter');
      else current.set('filter', text);
      return current;
    });
  }

  return { items, shown, by: searchedNames(columns), filter, setFilter };
}
