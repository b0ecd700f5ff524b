// What the palette knows: the pages there are, what the server lists, and what was chosen last.
import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import { applications, features, strategies } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { useDisabledReasons } from '@/api/permissions';
import { useCanSignOut } from '@/api/session';
import { useUnfit } from '@/api/unfit';
import { getRecentIds } from '@/lib/recentIds';
import { chooseTheme } from '@/lib/theme';
import { paths, sections } from '@/paths';
import { openCommands } from './commands';
import { newTogglePath } from './newTogglePath';
import type { Entry, Sources, ToggleEntry } from './paletteSearch';
import { goTo, help } from './shortcuts';

function entry(id: string, label: string, act: Entry['act'], more: Partial<Entry> = {}): Entry {
  return { id, label, text: label.toLowerCase(), act, ...more };
}

const place = (label: string, to: string): Entry => {
  const keys = goTo.find(({ path }) => path === to)?.keys;
  return entry(`page:${to}`, label, { to }, keys === undefined ? {} : { keys });
};

const PAGES = Object.values(sections).map(({ label, path }) => place(label, path));

const NEW = [
  ['toggle', paths.createToggle(), 'CREATE_FEATURE'],
  ['strategy', paths.createStrategy(), 'CREATE_STRATEGY'],
  ['context field', paths.createContextField(), 'CREATE_CONTEXT_FIELD'],
  ['project', paths.createProject(), 'CREATE_PROJECT'],
  ['tag type', paths.createTagType(), 'CREATE_TAG_TYPE'],
  ['tag', paths.createTag(), 'CREATE_TAG'],
] as const;

const FIXED = [
  entry('theme:light', 'Theme: Light', { run: () => chooseTheme('light') }),
  entry('theme:dark', 'Theme: Dark', { run: () => chooseTheme('dark') }),
  entry('theme:system', 'Theme: System', { run: () => chooseTheme('system') }),
  entry('shortcuts', 'Keyboard shortcuts', { run: () => openCommands.set('shortcuts') }, { keys: help.keys }),
];

/** `failure`: what could not be read, in words. */
export function usePaletteSources(): Sources & { isLoading: boolean; failure: string | undefined } {
  const lists = {
    toggles: useRead(features),
    strategies: useRead(strategies, { handlesFailure: true }),
    applications: useRead(applications),
  };
  const canSignOut = useCanSignOut();
  const location = useLocation();
  const { pathname } = location;
  // Detects a server on which no toggle can be changed.
  useUnfit();
  const forbids = useDisabledReasons();
  const toggles = useEntries(lists.toggles.data?.features, toToggle);
  const failed = Object.entries(lists).find(([, { error }]) => error);
  return {
    pages: PAGES,
    commands: [
      ...NEW.map(([noun, to, permission]) => ({
        ...place(`New ${noun}`, to),
        ...(noun === 'toggle' && { act: { to: newTogglePath(location) } }),
        disabledReason: forbids(permission),
      })),
      ...FIXED,
      ...(canSignOut ? [place('Sign out', paths.logout())] : []),
    ],
    toggles,
    strategies: useEntries(lists.strategies.data?.strategies, toStrategy),
    applications: useEntries(lists.applications.data?.applications, toApplication),
    here: useMemo(() => toggles.find(({ toggle }) => isPageOf(pathname, toggle.name)), [toggles, pathname]),
    recent: useMemo(getRecentIds, []),
    forbids,
    isLoading: lists.toggles.isLoading,
    failure: failed && `The ${failed[0]} could not be read: ${failed[1].error?.message}`,
  };
}

function useEntries<Item, E extends Entry>(list: readonly Item[] | undefined, toEntry: (item: Item) => E) {
  return useMemo(() => list?.map(toEntry) ?? [], [list, toEntry]);
}

const toToggle = (toggle: ToggleEntry['toggle']): ToggleEntry => ({
  ...entry(`toggle:${toggle.name}`, toggle.name, { to: paths.toggle(toggle.name) }),
  toggle,
});
const toStrategy = ({ name }: { name: string }) => entry(`strategy:${name}`, name, { to: paths.strategy(name) });
const toApplication = ({ appName }: { appName: string }) =>
  entry(`application:${appName}`, appName, { to: paths.application(appName) });

/** On any of its tabs. */
function isPageOf(pathname: string, name: string): boolean {
  return pathname.startsWith('/features/') && pathname.endsWith(`/${encodeURIComponent(name)}`);
}
