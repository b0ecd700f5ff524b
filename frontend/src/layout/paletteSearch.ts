// What the palette lists for what is typed: a few of each kind, however many there are.
import type { Toggle } from '@/api/generated/types';
import { fuzzyScore, splitWords } from '@/lib/fuzzy';
import { type Deed, deedIn, deeds, deedsFor } from './paletteDeeds';

type Act = { to: string } | { deed: Deed; toggle: Toggle } | { run: () => void };

export interface Entry {
  id: string;
  label: string;
  /** What it is found by, in lower case. */
  text: string;
  act: Act;
  /** Keys that do the same. */
  keys?: string;
  disabledReason?: string | undefined;
}

export interface ToggleEntry extends Entry {
  toggle: Toggle;
}

export interface Sources {
  pages: readonly Entry[];
  commands: readonly Entry[];
  toggles: readonly ToggleEntry[];
  strategies: readonly Entry[];
  applications: readonly Entry[];
  /** The one that the page is about. */
  here?: ToggleEntry | undefined;
  /** Ids, newest first. */
  recent: readonly string[];
  /** Why somebody may not. */
  forbids: (permission: string) => string | undefined;
}

export interface Group {
  /** Its title; unique in a list. */
  value: string;
  items: readonly Entry[];
}

const MOST = 6;

export function searchPalette(query: string, sources: Sources): readonly Group[] {
  const words = splitWords(query);
  const groups = words.length === 0 ? offered(sources) : found(words, sources);
  return groups.filter(({ items }) => items.length > 0);
}

function offered(sources: Sources): Group[] {
  const { pages, commands, toggles, strategies, applications, here, recent } = sources;
  const all = [...pages, ...commands, ...toggles, ...strategies, ...applications];
  const last = recent.flatMap((id) => (id === here?.id ? [] : (all.find((entry) => entry.id === id) ?? [])));
  const rest = ({ id }: Entry) => !last.some((entry) => entry.id === id);
  return [
    { value: here?.label ?? '', items: here ? actionsOn(here.toggle, sources) : [] },
    { value: 'Recent', items: last },
    { value: 'Pages', items: pages.filter(rest) },
    { value: 'Commands', items: commands.filter(rest) },
  ];
}

interface Scored<E extends Entry> {
  entry: E;
  score: number;
}

interface ScoredGroup extends Group {
  best: number;
}

function found(words: readonly string[], sources: Sources): Group[] {
  const rank = <E extends Entry>(list: readonly E[], by = words) => ranked(list, by, sources.recent);
  const toggles = rank(sources.toggles);
  const asked = deedIn(words);
  const groups = [
    group('Actions', asked ? askedDeeds(asked.deed, asked.rest, sources, rank(sources.toggles, asked.rest)) : []),
    group('Toggles', toggles),
    group('Pages', rank(sources.pages)),
    group('Strategies', rank(sources.strategies)),
    group('Applications', rank(sources.applications)),
    group('Commands', rank(sources.commands)),
  ].sort((a, b) => b.best - a.best);
  const [top] = toggles;
  return asked || !top ? groups : [...groups, { value: top.entry.label, items: actionsOn(top.entry.toggle, sources) }];
}

function group(value: string, scored: readonly Scored<Entry>[]): ScoredGroup {
  return { value, items: scored.map(({ entry }) => entry), best: scored[0]?.score ?? 0 };
}

const RECENT_BONUS = 15;

/** The best few, without sorting all of ten thousand. */
function ranked<E extends Entry>(list: readonly E[], words: readonly string[], recent: readonly string[]): Scored<E>[] {
  const best: Scored<E>[] = [];
  for (const entry of list) {
    const plain = fuzzyScore(words, entry.text);
    if (plain === 0) continue;
    const score = plain + (recent.includes(entry.id) ? RECENT_BONUS : 0);
    const last = best[MOST - 1];
    if (last && last.score >= score) continue;
    const at = best.findIndex((other) => other.score < score);
    best.splice(at < 0 ? best.length : at, 0, { entry, score });
    best.length = Math.min(best.length, MOST);
  }
  return best;
}

const DEED_BONUS = 30;

function askedDeeds(deed: Deed, rest: readonly string[], sources: Sources, toggles: readonly Scored<ToggleEntry>[]) {
  const { here, recent } = sources;
  if (rest.length > 0) {
    return toggles.map(({ entry, score }) => ({
      entry: deedEntry(deed, entry.toggle, sources),
      score: score + DEED_BONUS,
    }));
  }
  const near = [...(here ? [here] : []), ...sources.toggles.filter(({ id }) => id !== here?.id && recent.includes(id))];
  return near.slice(0, MOST).map(({ toggle }) => ({ entry: deedEntry(deed, toggle, sources), score: DEED_BONUS }));
}

function actionsOn(toggle: Toggle, sources: Sources): Entry[] {
  return deedsFor(toggle).map((deed) => deedEntry(deed, toggle, sources));
}

function deedEntry(deed: Deed, toggle: Toggle, { forbids }: Sources): Entry {
  const { label, permission, idle } = deeds[deed];
  return {
    id: `${deed}:${toggle.name}`,
    label: label(toggle.name),
    text: '',
    act: { deed, toggle },
    disabledReason: forbids(permission) ?? idle(toggle),
  };
}
