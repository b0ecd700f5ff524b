// The entries of the palette: pages, commands, items of the server, and recent entries.
import { useMemo, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { applications, events, strategies } from '@/api/endpoints';
import { useRead } from '@/api/useRead';
import { usePermissions } from '@/api/permissions';
import { useCanReadRecords } from '@/api/recorded';
import { useSdkToggles } from '@/api/sdkToggles';
import { useCanSignOut } from '@/api/session';
import { useToggleList } from '@/api/toggles';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { CLOCK_LABEL, clockPrompt } from '@/domain/past/clockPrompt';
import { heldToggles, useHoldAction } from '@/domain/holds/holds';
import { openCommands } from '@/layout/commands';
import { goTo, help } from '@/layout/shortcuts';
import { useOffered } from '@/shared/useOffered';
import { clockNow, subscribeClock } from '@/lib/clock';
import { useRecentIds } from '@/lib/recentIds';
import { useStore } from '@/lib/store';
import { chooseTheme } from '@/lib/theme';
import { paths, type Section, sections } from '@/paths';
import { entryIdOf } from './entryIdOf';
import { newTogglePath } from './newTogglePath';
import {
  findCommandToggle,
  needsAuthors,
  type PaletteEntry,
  type PaletteSources,
  type ToggleEntry,
} from './paletteSearch';
import { useComplete } from './useComplete';

function createEntry(
  id: string,
  label: string,
  command: PaletteEntry['command'],
  more: Partial<PaletteEntry> = {},
): PaletteEntry {
  return { id, label, text: label.toLowerCase(), command, ...more };
}

const pageEntry = (label: string, to: string): PaletteEntry => {
  const keys = goTo.find(({ path }) => path === to)?.keys;
  return createEntry(`page:${to}`, label, { to }, keys === undefined ? {} : { keys });
};

const SYNONYMS: { [section in keyof typeof sections]: readonly string[] } = {
  toggles: ['flags', 'feature flags', 'features'],
  evaluation: ['evaluate', 'why', 'playground', 'test a user'],
  strategies: ['rollouts', 'rules'],
  history: ['events', 'audit log', 'changes', 'log'],
  archive: ['deleted toggles', 'archived toggles', 'revive'],
  applications: ['apps', 'clients', 'sdks', 'connect', 'instances'],
  missingToggles: ['unknown toggles', 'not found'],
  contextFields: ['fields', 'attributes', 'legal values'],
  segments: ['cohorts', 'user groups'],
  projects: [],
  tagTypes: ['label types'],
  tags: ['labels'],
  addons: ['integrations', 'webhooks', 'slack', 'jira'],
  changes: ['flight recorder', 'incidents', 'differences', 'earlier toggles'],
  journal: ['audit log', 'sign-ins', 'requests'],
  users: ['accounts', 'people', 'colleagues', 'permissions', 'rights', 'passwords'],
  sessions: ['signed-in users', 'revoke access', 'sign out users'],
  plans: ['apply files', 'yaml', 'gitops', 'import plan', 'review files'],
  apiTokens: ['keys', 'secrets', 'credentials'],
};

const PAGES = Object.entries<Section>(sections).map(([section, { label, path, needs }]) => ({
  ...pageEntry(label, path),
  ...(needs && { needs }),
  synonyms: SYNONYMS[section as keyof typeof sections],
}));

/** Toggles that may no longer be needed. Those that no client has requested come first. */
const STALE_TOGGLES = createEntry(
  'page:stale',
  'Stale toggles, least recently used first',
  { to: `${paths.toggles()}?status=stale&sort=lastSeen&order=asc` },
  { synonyms: ['stale unused toggles', 'clean up', 'cleanup', 'old toggles'], isSuggested: true },
);

const CREATE_PAGES = [
  ['toggle', paths.createToggle(), 'CREATE_FEATURE'],
  ['strategy', paths.createStrategy(), 'CREATE_STRATEGY'],
  ['context field', paths.createContextField(), 'CREATE_CONTEXT_FIELD'],
  ['segment', paths.createSegment(), 'CREATE_SEGMENT'],
  ['project', paths.createProject(), 'CREATE_PROJECT'],
  ['tag type', paths.createTagType(), 'CREATE_TAG_TYPE'],
  ['tag', paths.createTag(), 'CREATE_TAG'],
] as const;

const CLOCK = createEntry(
  'clock',
  CLOCK_LABEL,
  { run: () => void clockPrompt.ask() },
  { synonyms: ['flight recorder', 'time travel', 'earlier toggles', 'history of toggles'], isSuggested: true },
);

const FIXED_COMMANDS = [
  createEntry('theme:light', 'Theme: Light', { run: () => chooseTheme('light') }, { synonyms: ['light mode'] }),
  createEntry('theme:dark', 'Theme: Dark', { run: () => chooseTheme('dark') }, { synonyms: ['dark mode'] }),
  createEntry('theme:system', 'Theme: System', { run: () => chooseTheme('system') }),
  createEntry(
    'shortcuts',
    'Keyboard shortcuts',
    { run: () => openCommands.set('shortcuts') },
    { keys: help.keys, synonyms: ['hotkeys', 'help'], isSuggested: true },
  ),
];

type Loaded = PaletteSources & { isLoading: boolean; failure: string | undefined };

/** `failure` is the error text of a list that could not be loaded. `saving`: names of toggles that a command is changing. */
export function usePaletteSources(query: string, saving: ReadonlySet<string>): Loaded {
  const lists = {
    toggles: useToggles(),
    strategies: useRead(strategies),
    applications: useRead(applications),
    history: useRead(needsAuthors(query) ? events : null),
  };
  const canSignOut = useCanSignOut();
  const location = useLocation();
  const { pathname } = location;
  const currentId = entryIdOf(pathname);
  // Detects a server whose toggles cannot be changed.
  useUnsupportedServer();
  const disabledReasonFor = usePermissions();
  const toggles = useEntries(lists.toggles.data?.features, toToggleEntry);
  const hold = useHoldAction();
  const held = useStore(heldToggles);
  const canReadRecords = useCanReadRecords();
  const failed = Object.entries(lists).find(([, { error }]) => error);
  const recentEvents = lists.history.data?.events;
  const sources: Loaded = {
    authors: useMemo(
      () => recentEvents && [...new Set(recentEvents.map(({ createdBy }) => createdBy))],
      [recentEvents],
    ),
    now: useSyncExternalStore(subscribeClock, clockNow),
    // Replaced below: it depends on the other sources.
    complete: (toggle) => toggle,
    saving,
    pages: useOffered(PAGES),
    commands: [
      ...CREATE_PAGES.map(([noun, to, permission]) => ({
        ...pageEntry(`New ${noun}`, to),
        ...(noun === 'toggle' && { command: { to: newTogglePath(location) }, isSuggested: true }),
        disabledReason: disabledReasonFor(permission),
      })),
      STALE_TOGGLES,
      ...(canReadRecords ? [CLOCK] : []),
      ...FIXED_COMMANDS,
      ...(canSignOut ? [{ ...pageEntry('Sign out', paths.logout()), synonyms: ['log out', 'logout'] }] : []),
    ],
    toggles,
    strategies: useEntries(lists.strategies.data?.strategies, toStrategyEntry),
    applications: useEntries(lists.applications.data?.applications, toApplicationEntry),
    currentToggle: useMemo(() => toggles.find(({ id }) => id === currentId), [toggles, currentId]),
    recent: useRecentIds().filter((id) => id !== currentId),
    disabledReasonFor,
    holds: hold.isOffered ? { held, disabledReason: hold.disabledReason } : undefined,
    isLoading: lists.toggles.isLoading,
    failure: failed && `The ${failed[0]} could not be loaded: ${failed[1].error?.message}`,
  };
  return { ...sources, complete: useComplete(findCommandToggle(query, sources)) };
}

/** In an outage without a list, the toggles that SDKs get: they can be held. */
function useToggles() {
  const live = useToggleList();
  const sdk = useSdkToggles();
  return !live.data && sdk.data ? sdk : live;
}

function useEntries<Item, E extends PaletteEntry>(list: readonly Item[] | undefined, toEntry: (item: Item) => E) {
  return useMemo(() => list?.map(toEntry) ?? [], [list, toEntry]);
}

const toToggleEntry = (toggle: ToggleEntry['toggle']): ToggleEntry => ({
  ...createEntry(`toggle:${toggle.name}`, toggle.name, { to: paths.toggle(toggle.name) }),
  toggle,
});
const toStrategyEntry = ({ name }: { name: string }) =>
  createEntry(`strategy:${name}`, name, { to: paths.strategy(name) });
const toApplicationEntry = ({ appName }: { appName: string }) =>
  createEntry(`application:${appName}`, appName, { to: paths.application(appName) });
