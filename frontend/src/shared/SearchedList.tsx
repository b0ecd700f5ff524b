import type { ReactNode } from 'react';
import { useSearch } from '@/lib/useSearch';
import { NothingFound } from '@/ui/NothingFound';
import { SearchField } from '@/ui/SearchField';
import type { ListSearch } from './useListSearch';

/** More than fit on a screen need a search. */
const FEW = 10;

interface Props<Item> {
  /** What is listed, one and many of it. */
  nouns: readonly [string, string];
  /** What of it is searched, such as `name or description`. */
  by: string;
  total: number;
  search: ListSearch<Item>;
  /** Also where there are few. */
  always?: boolean;
  children: (shown: readonly Item[]) => ReactNode;
}

/** The rows of a list, below what narrows them. */
export function SearchedList<Item>({ nouns, by, total, search, always = false, children }: Props<Item>) {
  const { filter, shown = [], setFilter } = search;
  const field = useSearch(filter, setFilter);
  return (
    <div className="grid gap-3">
      {(always || total > FEW || filter !== '') && (
        <search className="flex">
          <SearchField label={`Filter ${nouns[1]}`} placeholder={`Filter by ${by}…`} shortcutHint="/" {...field} />
        </search>
      )}
      {shown.length === 0 ? (
        <NothingFound nouns={nouns} total={total} onClear={() => setFilter('')} />
      ) : (
        children(shown)
      )}
    </div>
  );
}
