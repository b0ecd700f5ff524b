import type { ReactNode } from 'react';
import { useSearch } from '@/lib/useSearch';
import { ListBody } from '@/ui/ListBody';
import { NoMatches } from '@/ui/NoMatches';
import { SearchField } from '@/ui/SearchField';
import type { ListSearch } from './useListSearch';

/** More than fit on a screen need a search. */
const FEW = 10;

interface Props<Item> {
  /** What is listed, one and many of it. */
  nouns: readonly [string, string];
  /** What of it is searched, such as `name or description`. */
  by: string;
  search: ListSearch<Item>;
  /** Also where there are few. */
  always?: boolean;
  error: Error | undefined;
  onRetry: () => void;
  /** An `EmptyState` that teaches the next step. */
  empty: ReactNode;
  children: (shown: readonly Item[]) => ReactNode;
}

/** A list in each of its states, below what narrows it. */
export function SearchedList<Item>(props: Props<Item>) {
  const { nouns, by, search, always = false, error, onRetry, empty, children } = props;
  const { items, shown = [], filter, setFilter } = search;
  const field = useSearch(filter, setFilter);
  return (
    <ListBody noun={nouns[1]} items={items} error={error} onRetry={onRetry} empty={empty}>
      {({ length }) => (
        <div className="grid gap-3">
          {(always || length > FEW || filter !== '') && (
            <search className="flex">
              <SearchField label={`Filter ${nouns[1]}`} placeholder={`Filter by ${by}…`} shortcutHint="/" {...field} />
            </search>
          )}
          {shown.length > 0 ? (
            children(shown)
          ) : (
            <NoMatches noun={nouns[0]} total={length} onClear={() => setFilter('')} />
          )}
        </div>
      )}
    </ListBody>
  );
}
