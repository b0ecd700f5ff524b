// The rules that the toggle list and the archive share: which toggles are shown, and in which order.
import type { Counts, Toggle } from '@/api/generated/types';
import type { Matcher } from './searchPattern';

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

/** Own entries only: a toggle may be called `constructor` or `toString`. */
export function getCounts(counts: CountsByName | undefined, name: string): Counts | undefined {
  return counts && Object.hasOwn(counts, name) ? counts[name] : undefined;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Whatever the case; names that differ by nothing else still get one order, so that the list never shuffles between
 * reads. Names are URL-friendly, so they need no collator, which takes longer to load than 10,000 of them to sort.
 */
export function sortByName(toggles: readonly Toggle[]): Toggle[] {
  return toggles
    .map((toggle) => ({ toggle, key: toggle.name.toLowerCase() }))
    .sort((a, b) => compareText(a.key, b.key) || compareText(a.toggle.name, b.toggle.name))
    .map(({ toggle }) => toggle);
}

const time = (value: string | null): number => (value ? Date.parse(value) || 0 : 0);

/** Higher comes first. Type is text and stands apart. */
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

/** Expects toggles in name order: the sort is stable, so ties stay in name order without being compared again. */
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

// Toggles are replaced, never changed, so their text can be kept: the second search over 10,000 costs no serialising.
const searchables = new WeakMap<Toggle, Searchable>();

function searchable(toggle: Toggle): Searchable {
  const known = searchables.get(toggle);
  if (known) return known;
  const fields = [toggle.name, toggle.description ?? '', ...toggle.strategies.map((strategy) => strategy.name)];
  const made = { fields, whole: JSON.stringify(toggle) };
  searchables.set(toggle, made);
  return made;
}

/** As many as take a millisecond or two, so that what is typed meanwhile shows at once. */
const PREPARED_AT_ONCE = 500;

/** Makes ready what a search looks through, while it is still being typed. */
export function prepareSearch(toggles: readonly Toggle[], from = 0): void {
  const next = from + PREPARED_AT_ONCE;
  for (const toggle of toggles.slice(from, next)) searchable(toggle);
  if (next < toggles.length) setTimeout(() => prepareSearch(toggles, next));
}

interface Wanted {
  text: string;
  matches: Matcher;
  project: string;
  /** Stable for as long as it means the same. */
  keeps?: ((toggle: Toggle) => boolean) | undefined;
}

/** The whole serialised toggle counts only from the second character on: one letter would match nearly all. */
export function filterToggles(
  toggles: readonly Toggle[],
  { text, matches, project, keeps }: Wanted,
): readonly Toggle[] {
  const searchWhole = text.length > 1;
  return toggles.filter((toggle) => {
    if (project !== allProjects && toggle.project !== project) return false;
    if (keeps && !keeps(toggle)) return false;
    if (text === '') return true;
    const { fields, whole } = searchable(toggle);
    return fields.some(matches) || (searchWhole && matches(whole));
  });
}

/** A stored choice of a project that is gone, or of a server without projects, must not empty the list. */
export function resolveProject(
  chosen: string,
  projects: readonly { readonly id: string }[],
  otherwise = allProjects,
): string {
  return projects.length > 1 && projects.some(({ id }) => id === chosen) ? chosen : otherwise;
}
