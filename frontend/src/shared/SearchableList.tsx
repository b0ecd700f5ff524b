import type { ReactNode } from 'react';
import { useSearch } from '@/lib/useSearch';
import { ListBody } from '@/ui/ListBody';
import { NoMatches } from '@/ui/NoMatches';
import { SearchField } from '@/ui/SearchField';
import type { ListSearch } from './useListSearch';

/** Lists with more items than this show a search field. */
const MAX_WITHOUT_SEARCH = 10;

interface Props<Item> {
  /** Singular and plural of the listed items. */
  nouns: readonly [string, string];
  search: ListSearch<Item>;
  /** Show the search field for short lists too. */
  always?: boolean;
  error: Error | undefined;
  onRetry: () => void;
  /** `EmptyState` that explains the next step. */
  empty: ReactNode;
  children: (shown: readonly Item[]) => ReactNode;
}

/** A list with a search field and its loading, error and empty states. */
export function SearchableList<Item>(props: Props<Item>) {
  const { nouns, search, always = false, error, onRetry, empty, children } = props;
  const { items, shown = [], by, filter, setFilter } = search;
  const field = useSearch(filter, setFilter);
  return (
    <ListBody noun={nouns[1]} items={items} error={error} onRetry={onRetry} empty={empty}>
      {({ length }) => (
        <div className="grid gap-3">
          {(always || length > MAX_WITHOUT_SEARCH || filter !== '') && (
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
