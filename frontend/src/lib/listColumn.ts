// Column of a list as data: its texts for the search. `ui/Column.ts` adds the cell.
import type { Matcher } from './searchPattern';

export type Text = string | null | undefined;

export interface ListColumn<Item> {
  /** Header of the column. Unique among the shown columns. */
  header: string;
  /** Texts that the search field matches. Columns without it are not searched. */
  search?: (item: Item) => Text | readonly string[];
  /** Name in the placeholder of the search field; by default `header` in lower case. */
  searchName?: string;
}

export function matchesColumns<Item>(item: Item, columns: readonly ListColumn<Item>[], matches: Matcher): boolean {
  return columns.some(({ search }) => {
    if (!search) return false;
    const texts = search(item) ?? '';
    return typeof texts === 'string' ? matches(texts) : texts.some(matches);
  });
}

/** Names the searched columns, such as `name, description or legal value`. */
export function searchedNames<Item>(columns: readonly ListColumn<Item>[]): string {
  const names = columns
    .filter(({ search }) => search)
    .map(({ header, searchName = header.toLowerCase() }) => searchName);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}
