// Filtering and sorting, shared by the toggle list and the archive.
import type { Counts, Toggle } from '@/api/generated/types';
import type { Matcher } from '@/lib/searchPattern';

export type CountsByName = Readonly<Record<string, Counts>>;

export const toggleSorts = [
  { value: 'name', label: 'Name' },
  { value: 'type', label: 'Type' },
  { value: 'enabled', label: 'Enabled' },
  { value: 'stale', label: 'Stale' },
  { value: 'created', label: 'Created' },
  { value: 'lastSeen', label: 'Last seen' },
  { value: 'strategies', label: 'Strategies' },
  { value: 'metrics', label: 'Metrics' },
] as const;

export type ToggleSort = (typeof toggleSorts)[number]['value'];

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

/** Returns the sort key; higher values come first. Names and types are sorted as text instead. */
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
export function sortToggles(named: readonly Toggle[], sort: ToggleSort, counts?: CountsByName): readonly Toggle[] {
  if (sort === 'name') return named;
  if (sort === 'type') return [...named].sort((a, b) => compareText(a.type, b.type));
  return named
    .map((toggle) => ({ toggle, rank: rank(toggle, sort, counts) }))
    .sort((a, b) => b.rank - a.rank)
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

/** Toggles prepared per task: one or two milliseconds of work, so that typing stays responsive. */
const PREPARE_BATCH = 500;

/** Fills the search cache in the background while the user types. */
export function prepareSearch(toggles: readonly Toggle[], from = 0): void {
  const next = from + PREPARE_BATCH;
  for (const toggle of toggles.slice(from, next)) getSearchable(toggle);
  if (next < toggles.length) setTimeout(() => prepareSearch(toggles, next));
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
