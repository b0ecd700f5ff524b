// Search of the command palette: returns a few entries of each kind.

import type { KnownPermission } from '@/api/disabledReason';
import type { Toggle } from '@/api/generated/types';
import { toFragment } from '@/domain/evaluation/labContext';
import { getPercent } from '@/domain/strategies/audience';
import { describeRule } from '@/domain/strategies/ruleSentence';
import { noEventFilter, paramsWithFilter } from '@/features/history/eventFilter';
import { withPercentSign } from '@/lib/format';
import { fuzzyScore, splitWords } from '@/lib/fuzzy';
import { paths } from '@/paths';
import { type Period, rangeOfPeriod } from '@/shared/timeRange';
import {
  applicableActions,
  type PaletteAction,
  type PaletteHolds,
  paletteActions,
  parseAction,
} from './paletteActions';
import {
  findRollouts,
  type PaletteCommandQuery,
  parseCommand,
  periodLabels,
  type RolloutChange,
} from './paletteCommands';

type PaletteCommand =
  | { to: string }
  | { action: PaletteAction; toggle: Toggle }
  | { change: RolloutChange }
  | { run: () => void }
  /** A command that is not complete. */
  | { incomplete: true };

export interface PaletteEntry {
  id: string;
  label: string;
  /** Text that the query is matched against, in lower case. */
  text: string;
  /** Other names, in lower case. */
  synonyms?: readonly string[];
  /** Second line. */
  detail?: string;
  command: PaletteCommand;
  /** Id of the recent entry after it was chosen. Default: `id`. */
  recentId?: string;
  /** Shortcut of the command. */
  keys?: string;
  disabledReason?: string | undefined;
  /** Listed before something is typed. */
  isSuggested?: boolean;
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
  /** Users who changed something recently; undefined until they are needed and loaded. */
  authors?: readonly string[] | undefined;
  /** The current time, for periods of the history. */
  now: number;
  /** Returns the toggle with all its strategies, or the reason why they are not known. */
  complete: (toggle: Toggle) => Toggle | string;
  /** Names of toggles that a command is changing. */
  saving: ReadonlySet<string>;
  /** Ids of recently used entries and visited pages except the current one, newest first. */
  recent: readonly string[];
  /** The reason why a permission is denied; undefined if it is granted. */
  disabledReasonFor: (permission: KnownPermission) => string | undefined;
  /** Undefined if this deployment cannot hold toggles. */
  holds?: PaletteHolds | undefined;
}

export interface PaletteGroup {
  /** Title of the group, unique in a list. */
  value: string;
  items: readonly PaletteEntry[];
}

const MAX_PER_GROUP = 6;
const MAX_RECENT = 5;

export function searchPalette(query: string, sources: PaletteSources): readonly PaletteGroup[] {
  const words = splitWords(query);
  const groups = words.length === 0 ? initialGroups(sources) : matchingGroups(query, sources);
  return groups.filter(({ items }) => items.length > 0);
}

function initialGroups(sources: PaletteSources): PaletteGroup[] {
  const { commands, toggles, currentToggle, recent } = sources;
  const last = recent.flatMap((id) => toggles.find((entry) => entry.id === id) ?? []);
  return [
    { value: currentToggle?.label ?? '', items: currentToggle ? actionEntries(currentToggle.toggle, sources) : [] },
    { value: 'Recent toggles', items: last.slice(0, MAX_RECENT) },
    { value: 'Commands', items: commands.filter(({ isSuggested }) => isSuggested) },
  ];
}

interface Scored<E extends PaletteEntry> {
  entry: E;
  score: number;
}

interface ScoredGroup extends PaletteGroup {
  best: number;
}

function matchingGroups(query: string, sources: PaletteSources): PaletteGroup[] {
  const words = splitWords(query);
  const rank = <E extends PaletteEntry>(list: readonly E[]) => bestMatches(list, words, sources.recent);
  const toggles = rank(sources.toggles);
  const pages = rank(sources.pages);
  const command = parseCommand(query);
  const requested = command ? undefined : parseAction(words, sources.holds);
  const named = requested ? bestMatches(sources.toggles, requested.rest, sources.recent) : [];
  const actions = requested ? requestedActions(requested.action, requested.rest, sources, named) : [];
  const groups = [
    toGroup('Actions', command ? commandEntries(command, sources) : actions),
    withBonus(toGroup('Toggles', toggles), TOGGLE_BONUS),
    withBonus(toGroup('Pages', pages), pages[0]?.entry.text === words.join(' ') ? EXACT_BONUS : 0),
    toGroup('Strategies', rank(sources.strategies)),
    toGroup('Applications', rank(sources.applications)),
    toGroup('Commands', rank(sources.commands)),
  ].sort((a, b) => b.best - a.best);
  const [top] = toggles;
  return command || requested || !top
    ? groups
    : [...groups, { value: top.entry.label, items: actionEntries(top.entry.toggle, sources) }];
}

function toGroup(value: string, scored: readonly Scored<PaletteEntry>[]): ScoredGroup {
  return { value, items: scored.map(({ entry }) => entry), best: scored[0]?.score ?? 0 };
}

/** Toggles are searched most, so that a name that begins with the query comes before an application of that name. */
const TOGGLE_BONUS = 15;
/** A page whose name is typed completely still comes before toggles. */
const EXACT_BONUS = 20;

function withBonus(group: ScoredGroup, bonus: number): ScoredGroup {
  return { ...group, best: group.items.length > 0 ? group.best + bonus : 0 };
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
    const plain = scoreOf(entry, words);
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

/** A synonym counts only if it contains all words, and less than the name. */
const MIN_SYNONYM_SCORE = 60;
const SYNONYM_PENALTY = 5;

function scoreOf({ text, synonyms = [] }: PaletteEntry, words: readonly string[]): number {
  const scores = synonyms.map((synonym) => {
    const score = Math.min(...words.map((word) => fuzzyScore([word], synonym)));
    return score < MIN_SYNONYM_SCORE - 1 ? 0 : fuzzyScore(words, synonym) - SYNONYM_PENALTY;
  });
  return Math.max(fuzzyScore(words, text), ...scores);
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
function togglesFor(
  action: PaletteAction,
  { currentToggle, recent, toggles, holds }: PaletteSources,
): Scored<ToggleEntry>[] {
  const isRecent = ({ id }: ToggleEntry) => id !== currentToggle?.id && recent.includes(id);
  const hasEffect = ({ toggle }: ToggleEntry) =>
    paletteActions[action].noEffectReason(toggle, holds?.held ?? []) === undefined;
  const known = [...(currentToggle ? [currentToggle] : []), ...toggles.filter(isRecent)];
  const others = toggles.filter((entry) => !known.includes(entry) && hasEffect(entry));
  const all = [...known, ...others];
  return (all.length > 0 ? all : toggles)
    .slice(0, MAX_PER_GROUP)
    .map((entry) => ({ entry, score: UNNAMED - ACTION_BONUS }));
}

/**
 * Score of an action without the name of a toggle: after entries that contain the text, such as the archive's page for
 * `archive`, and before toggles that only contain its letters, such as `search.old-index` for `hold`.
 */
const UNNAMED = 58;

function actionEntries(toggle: Toggle, sources: PaletteSources): PaletteEntry[] {
  return applicableActions(toggle, sources.holds).map((action) => actionEntry(action, toggle, sources));
}

function actionEntry(
  action: PaletteAction,
  toggle: Toggle,
  { disabledReasonFor, holds }: PaletteSources,
): PaletteEntry {
  const { label, permission, noEffectReason, isHold } = paletteActions[action];
  // A hold works in an outage, in which other changes do not.
  const deniedReason = isHold ? holds?.disabledReason : disabledReasonFor(permission);
  return {
    id: `${action}:${toggle.name}`,
    label: label(toggle.name),
    text: '',
    command: { action, toggle },
    disabledReason: deniedReason ?? noEffectReason(toggle, holds?.held ?? []),
  };
}

/** Returns the toggle whose strategies a command needs: the best match of `set`. */
export function findCommandToggle(query: string, sources: PaletteSources): Toggle | undefined {
  const command = parseCommand(query);
  return command?.kind === 'set' ? commandToggles(command.words, sources)[0]?.entry.toggle : undefined;
}

/** Returns whether a query needs the authors of recent events. */
export function needsAuthors(query: string): boolean {
  const command = parseCommand(query);
  return command?.kind === 'events' && command.words.length > 0;
}

/** Says why a command finds nothing; undefined for other queries. */
export function describeNothing(query: string, sources: PaletteSources): string | undefined {
  const command = parseCommand(query);
  if (!command) return undefined;
  const words = command.words.join(' ');
  if (command.kind === 'events') return sources.authors ? `No recent change by “${words}”.` : 'Loading the history…';
  return words === '' ? 'There are no toggles.' : `No toggle matches “${words}”.`;
}

/** A complete command comes first, also if its words match something else. */
const COMMAND_BONUS = 200;

function commandEntries(command: PaletteCommandQuery, sources: PaletteSources): Scored<PaletteEntry>[] {
  if (command.kind === 'events') return eventEntries(command.words, command.period, sources);
  return commandToggles(command.words, sources).flatMap(({ entry: { toggle }, score }) => {
    const entries = command.kind === 'set' ? setEntries(toggle, command, sources) : [whyEntry(toggle, command.userId)];
    return entries.map((entry) => ({ entry, score: score + ('incomplete' in entry.command ? 0 : COMMAND_BONUS) }));
  });
}

/** The toggles that match; without words, the current and recent ones first. */
function commandToggles(words: readonly string[], sources: PaletteSources): Scored<ToggleEntry>[] {
  if (words.length > 0) return bestMatches(sources.toggles, words, sources.recent);
  const { currentToggle, recent, toggles } = sources;
  const known = [...(currentToggle ? [currentToggle] : []), ...toggles.filter(({ id }) => recent.includes(id))];
  const all = [...new Set([...known, ...toggles])].slice(0, MAX_PER_GROUP);
  return all.map((entry) => ({ entry, score: 0 }));
}

type SetQuery = Extract<PaletteCommandQuery, { kind: 'set' }>;

/** One entry for each rollout of the toggle, with its sentence. */
function setEntries(row: Toggle, { percent, problem }: SetQuery, sources: PaletteSources): PaletteEntry[] {
  const { name } = row;
  const toggle = sources.complete(row);
  const shared = {
    label: percent === undefined ? `Set the rollout of ${name}` : `Set ${name} to ${withPercentSign(percent)}`,
    text: '',
    recentId: `toggle:${name}`,
  };
  const denied = sources.disabledReasonFor('UPDATE_FEATURE_STRATEGY') ?? problem;
  const incomplete = (reason: string): PaletteEntry[] => [
    { ...shared, id: `set:${name}`, command: { incomplete: true }, disabledReason: denied ?? reason },
  ];
  if (typeof toggle === 'string') return incomplete(toggle);
  const rollouts = findRollouts(toggle);
  if (rollouts.length === 0) return incomplete('It has no gradual rollout.');
  return rollouts.map(({ strategy, index }) => {
    const rule = describeRule(strategy, { toggleName: name });
    const noEffect =
      percent !== undefined && getPercent(strategy) === percent ? `Already at ${withPercentSign(percent)}.` : undefined;
    const busy = sources.saving.has(name) ? 'The last change is still being saved.' : undefined;
    return {
      ...shared,
      id: `set:${name}:${index}`,
      detail: `${rollouts.length === 1 ? 'Now' : `Strategy ${index + 1}, now`} ${rule}`,
      command: percent === undefined ? { incomplete: true } : { change: { toggle, index, percent } },
      disabledReason: denied ?? busy ?? noEffect,
    };
  });
}

function whyEntry({ name }: Toggle, userId: string | undefined): PaletteEntry {
  const shared = { id: `why:${name}`, text: '', recentId: `toggle:${name}` };
  if (userId === undefined)
    return {
      ...shared,
      label: `Why is ${name} on or off for a user?`,
      command: { incomplete: true },
      disabledReason: 'Add a user ID, such as 4711.',
    };
  return {
    ...shared,
    label: `Why is ${name} on or off for ${userId}?`,
    command: { to: paths.toggle(name) + toFragment({ userId }) },
  };
}

function eventEntries(words: readonly string[], period: Period, sources: PaletteSources): Scored<PaletteEntry>[] {
  const { authors = [], now } = sources;
  const range = rangeOfPeriod(period, now);
  const toEntry = (user: string, label: string, score: number): Scored<PaletteEntry> => {
    const params = paramsWithFilter(new URLSearchParams(), { ...noEventFilter, ...range, user });
    return {
      score,
      entry: {
        id: `events:${label}`,
        label,
        text: '',
        command: { to: `${paths.history()}?${params}` },
        recentId: `page:${paths.history()}`,
      },
    };
  };
  if (words.length === 0) return [toEntry('', `Changes ${periodLabels[period]}`, COMMAND_BONUS)];
  return authors
    .map((user) => toEntry(user, `Changes by ${user} ${periodLabels[period]}`, fuzzyScore(words, user.toLowerCase())))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PER_GROUP)
    .map(({ entry, score }) => ({ entry, score: score + COMMAND_BONUS }));
}
