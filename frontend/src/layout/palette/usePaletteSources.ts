// The entries of the palette: pages, commands, items of the server, and recent entries.
import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import { applications, strategies } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { usePermissions } from '@/api/permissions';
import { useCanSignOut } from '@/api/session';
import { useToggleList } from '@/api/toggles';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { openCommands } from '@/layout/commands';
import { goTo, help } from '@/layout/shortcuts';
import { useRecentIds } from '@/lib/recentIds';
import { chooseTheme } from '@/lib/theme';
import { paths, sections } from '@/paths';
import { entryIdOf } from './entryIdOf';
import { newTogglePath } from './newTogglePath';
import type { PaletteEntry, PaletteSources, ToggleEntry } from './paletteSearch';

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

const PAGES = Object.values(sections).map(({ label, path }) => pageEntry(label, path));

const CREATE_PAGES = [
  ['toggle', paths.createToggle(), 'CREATE_FEATURE'],
  ['strategy', paths.createStrategy(), 'CREATE_STRATEGY'],
  ['context field', paths.createContextField(), 'CREATE_CONTEXT_FIELD'],
  ['project', paths.createProject(), 'CREATE_PROJECT'],
  ['tag type', paths.createTagType(), 'CREATE_TAG_TYPE'],
  ['tag', paths.createTag(), 'CREATE_TAG'],
] as const;

const FIXED_COMMANDS = [
  createEntry('theme:light', 'Theme: Light', { run: () => chooseTheme('light') }),
  createEntry('theme:dark', 'Theme: Dark', { run: () => chooseTheme('dark') }),
  createEntry('theme:system', 'Theme: System', { run: () => chooseTheme('system') }),
  createEntry('shortcuts', 'Keyboard shortcuts', { run: () => openCommands.set('shortcuts') }, { keys: help.keys }),
];

/** `failure` is the error text of a list that could not be loaded. */
export function usePaletteSources(): PaletteSources & { isLoading: boolean; failure: string | undefined } {
  const lists = {
    toggles: useToggleList(),
    strategies: useRead(strategies, { handlesFailure: true }),
    applications: useRead(applications),
  };
  const canSignOut = useCanSignOut();
  const location = useLocation();
  const { pathname } = location;
  const currentId = entryIdOf(pathname);
  // Detects a server whose toggles cannot be changed.
  useUnsupportedServer();
  const disabledReasonFor = usePermissions();
  const toggles = useEntries(lists.toggles.data?.features, toToggleEntry);
  const failed = Object.entries(lists).find(([, { error }]) => error);
  return {
    pages: PAGES,
    commands: [
      ...CREATE_PAGES.map(([noun, to, permission]) => ({
        ...pageEntry(`New ${noun}`, to),
        ...(noun === 'toggle' && { command: { to: newTogglePath(location) } }),
        disabledReason: disabledReasonFor(permission),
      })),
      ...FIXED_COMMANDS,
      ...(canSignOut ? [pageEntry('Sign out', paths.logout())] : []),
    ],
    toggles,
    strategies: useEntries(lists.strategies.data?.strategies, toStrategyEntry),
    applications: useEntries(lists.applications.data?.applications, toApplicationEntry),
    currentToggle: useMemo(() => toggles.find(({ id }) => id === currentId), [toggles, currentId]),
    recent: useRecentIds().filter((id) => id !== currentId),
    disabledReasonFor,
    isLoading: lists.toggles.isLoading,
    failure: failed && `The ${failed[0]} could not be loaded: ${failed[1].error?.message}`,
  };
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
