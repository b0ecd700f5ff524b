// Search of the command palette: returns a few entries of each kind.

import type { KnownPermission } from '@/api/disabledReason';
import type { Toggle } from '@/api/generated/types';
import { fuzzyScore, splitWords } from '@/lib/fuzzy';
import { applicableActions, type PaletteAction, paletteActions, parseAction } from './paletteActions';

type PaletteCommand = { to: string } | { action: PaletteAction; toggle: Toggle } | { run: () => void };

export interface PaletteEntry {
  id: string;
  label: string;
  /** Text that the query is matched against, in lower case. */
  text: string;
  command: PaletteCommand;
  /** Shortcut of the command. */
  keys?: string;
  disabledReason?: string | undefined;
}

export interface ToggleEntry extends PaletteEntry {
  toggle: Toggle;
}

export interface PaletteSources {
  pages: readonly PaletteEntry[];
  commands: readonly PaletteEntry[];
  toggles: readonly ToggleEntry[];
  strategies: readonly PaletteEntry[];
  applications: readonly PaletteEntry[];
  /** The toggle of the current page. */
  currentToggle?: ToggleEntry | undefined;
  /** Ids of recently used entries and visited pages except the current one, newest first. */
  recent: readonly string[];
  /** The reason why a permission is denied; undefined if it is granted. */
  disabledReasonFor: (permission: KnownPermission) => string | undefined;
}

export interface PaletteGroup {
  /** Title of the group, unique in a list. */
  value: string;
  items: readonly PaletteEntry[];
}

const MAX_PER_GROUP = 6;

export function searchPalette(query: string, sources: PaletteSources): readonly PaletteGroup[] {
  const words = splitWords(query);
  const groups = words.length === 0 ? initialGroups(sources) : matchingGroups(words, sources);
  return groups.filter(({ items }) => items.length > 0);
}

function initialGroups(sources: PaletteSources): PaletteGroup[] {
  const { pages, commands, toggles, strategies, applications, currentToggle, recent } = sources;
  const all = [...pages, ...commands, ...toggles, ...strategies, ...applications];
  const last = recent.flatMap((id) => all.find((entry) => entry.id === id) ?? []);
  const rest = ({ id }: PaletteEntry) => !last.some((entry) => entry.id === id);
  return [
    { value: currentToggle?.label ?? '', items: currentToggle ? actionEntries(currentToggle.toggle, sources) : [] },
    { value: 'Recent', items: last },
    { value: 'Pages', items: pages.filter(rest) },
    { value: 'Commands', items: commands.filter(rest) },
  ];
}

interface Scored<E extends PaletteEntry> {
  entry: E;
  score: number;
}

interface ScoredGroup extends PaletteGroup {
  best: number;
}

function matchingGroups(words: readonly string[], sources: PaletteSources): PaletteGroup[] {
  const rank = <E extends PaletteEntry>(list: readonly E[], by = words) => bestMatches(list, by, sources.recent);
  const toggles = rank(sources.toggles);
  const requested = parseAction(words);
  const groups = [
    toGroup(
      'Actions',
      requested
        ? requestedActions(requested.action, requested.rest, sources, rank(sources.toggles, requested.rest))
        : [],
    ),
    toGroup('Toggles', toggles),
    toGroup('Pages', rank(sources.pages)),
    toGroup('Strategies', rank(sources.strategies)),
    toGroup('Applications', rank(sources.applications)),
    toGroup('Commands', rank(sources.commands)),
  ].sort((a, b) => b.best - a.best);
  const [top] = toggles;
  return requested || !top
    ? groups
    : [...groups, { value: top.entry.label, items: actionEntries(top.entry.toggle, sources) }];
}

function toGroup(value: string, scored: readonly Scored<PaletteEntry>[]): ScoredGroup {
  return { value, items: scored.map(({ entry }) => entry), best: scored[0]?.score ?? 0 };
}

const RECENT_BONUS = 15;

/** Returns the best matches without sorting the whole list. */
function bestMatches<E extends PaletteEntry>(
  list: readonly E[],
  words: readonly string[],
  recent: readonly string[],
): Scored<E>[] {
  const best: Scored<E>[] = [];
  for (const entry of list) {
    const plain = fuzzyScore(words, entry.text);
    if (plain === 0) continue;
    const score = plain + (recent.includes(entry.id) ? RECENT_BONUS : 0);
    const last = best[MAX_PER_GROUP - 1];
    if (last && last.score >= score) continue;
    const at = best.findIndex((other) => other.score < score);
    best.splice(at < 0 ? best.length : at, 0, { entry, score });
    best.length = Math.min(best.length, MAX_PER_GROUP);
  }
  return best;
}

const ACTION_BONUS = 30;

function requestedActions(
  action: PaletteAction,
  rest: readonly string[],
  sources: PaletteSources,
  matches: readonly Scored<ToggleEntry>[],
): Scored<PaletteEntry>[] {
  const found = rest.length > 0 ? matches : togglesFor(action, sources);
  return found.map(({ entry, score }) => ({
    entry: actionEntry(action, entry.toggle, sources),
    score: score + ACTION_BONUS,
  }));
}

/**
 * Toggles for an action without a name: the current and recent ones, then others that the action changes, else those with
 * the reason why it does not change them.
 */
function togglesFor(action: PaletteAction, { currentToggle, recent, toggles }: PaletteSources): Scored<ToggleEntry>[] {
  const isRecent = ({ id }: ToggleEntry) => id !== currentToggle?.id && recent.includes(id);
  const hasEffect = ({ toggle }: ToggleEntry) => paletteActions[action].noEffectReason(toggle) === undefined;
  const known = [...(currentToggle ? [currentToggle] : []), ...toggles.filter(isRecent)];
  const others = toggles.filter((entry) => !known.includes(entry) && hasEffect(entry));
  const all = [...known, ...others];
  return (all.length > 0 ? all : toggles)
    .slice(0, MAX_PER_GROUP)
    .map((entry) => ({ entry, score: known.includes(entry) ? 0 : UNREQUESTED }));
}

/** Moves a group after the groups that match the text, such as the archive's page for `archive`. */
const UNREQUESTED = -ACTION_BONUS;

function actionEntries(toggle: Toggle, sources: PaletteSources): PaletteEntry[] {
  return applicableActions(toggle).map((action) => actionEntry(action, toggle, sources));
}

function actionEntry(action: PaletteAction, toggle: Toggle, { disabledReasonFor }: PaletteSources): PaletteEntry {
  const { label, permission, noEffectReason } = paletteActions[action];
  return {
    id: `${action}:${toggle.name}`,
    label: label(toggle.name),
    text: '',
    command: { action, toggle },
    disabledReason: disabledReasonFor(permission) ?? noEffectReason(toggle),
  };
}
