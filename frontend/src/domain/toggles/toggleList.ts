// Filtering and sorting, shared by the toggle list and the archive.
import type { Counts, Toggle } from '@/api/generated/types';
import type { Matcher } from '@/lib/searchPattern';

export type CountsByName = Readonly<Record<string, Counts>>;

/** The sort keys with their usual order. */
export const toggleSorts = [
  { value: 'name', label: 'Name', order: 'asc' },
  { value: 'type', label: 'Type', order: 'asc' },
  { value: 'enabled', label: 'Enabled', order: 'desc' },
  { value: 'stale', label: 'Stale', order: 'desc' },
  { value: 'created', label: 'Created', order: 'desc' },
  { value: 'lastSeen', label: 'Last seen', order: 'desc' },
  { value: 'strategies', label: 'Strategies', order: 'desc' },
  { value: 'metrics', label: 'Metrics', order: 'desc' },
] as const;

export type ToggleSort = (typeof toggleSorts)[number]['value'];

export interface SortOrder {
  readonly sort: ToggleSort;
  /** The opposite of the usual order. */
  readonly reversed: boolean;
}

/** Returns the sort key, or the default key for an unknown one. */
export function toToggleSort(key: string): ToggleSort {
  return toggleSorts.find(({ value }) => value === key)?.value ?? 'name';
}

export function sortDirection({ sort, reversed }: SortOrder): 'asc' | 'desc' {
  const isDescending = toggleSorts.some(({ value, order }) => value === sort && order === 'desc');
  return isDescending === reversed ? 'asc' : 'desc';
}

/** Returns the order after the user chose a key. Choosing the current key again reverses the order. */
export function chooseSort(current: SortOrder, key: string): SortOrder {
  const sort = toToggleSort(key);
  return { sort, reversed: sort === current.sort && !current.reversed };
}

/** Sort keys without a column, whose header would show the order. */
const HIDDEN_SORTS: readonly ToggleSort[] = ['stale', 'strategies'];

/** Returns the label of the sort key if no column has it. */
export function getHiddenSortLabel({ sort }: SortOrder): string | undefined {
  return HIDDEN_SORTS.includes(sort) ? toggleSorts.find(({ value }) => value === sort)?.label : undefined;
}

/** Returns the sort order for the headers of the columns. */
export function getSorting(order: SortOrder, onChange: (order: SortOrder) => void) {
  return {
    key: order.sort,
    direction: sortDirection(order),
    onSort: (key: string) => onChange(chooseSort(order, key)),
  };
}

export const allProjects = '*';

/** Returns a toggle's counts. Own properties only, because a toggle may be named `constructor`. */
export function getCounts(counts: CountsByName | undefined, name: string): Counts | undefined {
  return counts && Object.hasOwn(counts, name) ? counts[name] : undefined;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Sorts by name, ignoring case. Names that differ only by case keep a stable order between reads. Names are
 * URL-friendly, so no collator is needed, which would take longer to load than sorting 10,000 names.
 */
export function sortByName(toggles: readonly Toggle[]): Toggle[] {
  return toggles
    .map((toggle) => ({ toggle, key: toggle.name.toLowerCase() }))
    .sort((a, b) => compareText(a.key, b.key) || compareText(a.toggle.name, b.toggle.name))
    .map(({ toggle }) => toggle);
}

const time = (value: string | null): number => (value ? Date.parse(value) || 0 : 0);

/** Returns the value to sort by; higher values come first. Names and types are sorted as text instead. */
function rank(toggle: Toggle, sort: ToggleSort, counts: CountsByName | undefined): number {
  switch (sort) {
    case 'enabled':
      return Number(toggle.enabled);
    case 'stale':
      return Number(toggle.stale);
    case 'created':
      return time(toggle.createdAt);
    case 'lastSeen':
      return time(toggle.lastSeenAt);
    case 'strategies':
      return toggle.strategies.length;
    case 'metrics':
      return getCounts(counts, toggle.name)?.yes ?? -1;
    case 'name':
    case 'type':
      return 0;
  }
}

/** Sorts toggles that are already in name order. The sort is stable, so ties stay in name order. */
export function sortToggles(
  named: readonly Toggle[],
  { sort, reversed }: SortOrder,
  counts?: CountsByName,
): readonly Toggle[] {
  if (sort === 'name') return reversed ? [...named].reverse() : named;
  const sign = reversed ? -1 : 1;
  if (sort === 'type') return [...named].sort((a, b) => sign * compareText(a.type, b.type));
  return named
    .map((toggle) => ({ toggle, rank: rank(toggle, sort, counts) }))
    .sort((a, b) => sign * (b.rank - a.rank))
    .map(({ toggle }) => toggle);
}

interface Searchable {
  readonly fields: readonly string[];
  readonly whole: string;
}

// Cache of search texts. It never becomes stale, because toggles are replaced instead of mutated.
const searchables = new WeakMap<Toggle, Searchable>();

function getSearchable(toggle: Toggle): Searchable {
  const cached = searchables.get(toggle);
  if (cached) return cached;
  const fields = [toggle.name, toggle.description ?? '', ...toggle.strategies.map((strategy) => strategy.name)];
  const created = { fields, whole: JSON.stringify(toggle) };
  searchables.set(toggle, created);
  return created;
}

/** Toggles prepared per task: about two milliseconds of work, so that the page stays responsive. */
const PREPARE_BATCH = 250;

/** Fills the search cache while the browser is idle, so that the first search is fast. Returns a function that stops it. */
export function prepareSearch(toggles: readonly Toggle[]): () => void {
  const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
  let isStopped = false;
  const prepareFrom = (first: number) => {
    if (isStopped || first >= toggles.length) return;
    for (const toggle of toggles.slice(first, first + PREPARE_BATCH)) getSearchable(toggle);
    whenIdle(() => prepareFrom(first + PREPARE_BATCH));
  };
  whenIdle(() => prepareFrom(0));
  return () => {
    isStopped = true;
  };
}

interface ToggleFilter {
  text: string;
  matches: Matcher;
  project: string;
  /** Filter by facets. Memoized: it must change only with the facets. */
  isIncluded?: ((toggle: Toggle) => boolean) | undefined;
}

/** Filters toggles. Two or more characters search the whole serialised toggle; one letter would match nearly all. */
export function filterToggles(
  toggles: readonly Toggle[],
  { text, matches, project, isIncluded }: ToggleFilter,
): readonly Toggle[] {
  const searchWhole = text.length > 1;
  return toggles.filter((toggle) => {
    if (project !== allProjects && toggle.project !== project) return false;
    if (isIncluded && !isIncluded(toggle)) return false;
    if (text === '') return true;
    const { fields, whole } = getSearchable(toggle);
    return fields.some(matches) || (searchWhole && matches(whole));
  });
}

/** Returns the chosen project, or `otherwise` if it no longer exists, so that a stored choice cannot empty the list. */
export function resolveProject(
  chosen: string,
  projects: readonly { readonly id: string }[],
  otherwise = allProjects,
): string {
  return projects.length > 1 && projects.some(({ id }) => id === chosen) ? chosen : otherwise;
}
