// Search of a list, with the filter in the URL.
import { useMemo } from 'react';
import { useMatcher } from '@/lib/useMatcher';
import { useUrlParams } from './useUrlParams';

export interface ListSearch<Item> {
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  shown: readonly Item[] | undefined;
  filter: string;
  setFilter: (text: string) => void;
}

/** Filters items by the texts that `textsOf` returns. `textsOf` must be a stable function. */
export function useListSearch<Item>(
  items: readonly Item[] | undefined,
  textsOf: (item: Item) => readonly (string | null | undefined)[],
): ListSearch<Item> {
  const [params, changeParams] = useUrlParams();
  const filter = params.get('filter') ?? '';
  const { matches } = useMatcher(filter);
  const shown = useMemo(
    () => items?.filter((item) => textsOf(item).some((text) => matches(text ?? ''))),
    [items, matches, textsOf],
  );

  function setFilter(text: string) {
    changeParams((current) => {
      if (text === '') current.delete('filter');
      else current.set('filter', text);
      return current;
    });
  }

  return { items, shown, filter, setFilter };
}
