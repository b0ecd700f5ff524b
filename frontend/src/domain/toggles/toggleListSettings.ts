// Filter, project, sort order and metric interval of the toggle list and the archive, from the URL or local storage.
import { readSettings, writeSettings } from '@/lib/localSettings';
import { createStore, useStore } from '@/lib/store';
import { allProjects, type SortOrder, sortDirection, toToggleSort } from './toggleList';

export interface ToggleListSettings extends SortOrder {
  readonly filter: string;
  readonly showLastHour: boolean;
  readonly currentProjectId: string;
}

const group = 'feature';

export const defaultSettings: ToggleListSettings = {
  filter: '',
  sort: 'name',
  reversed: false,
  showLastHour: false,
  currentProjectId: allProjects,
};

export const clearedFilter = { filter: '', currentProjectId: allProjects };

/** All URL parameters of the list, including those of the filter panel. */
const LIST_PARAMS = ['filter', 'sort', 'order', 'interval', 'project', 'state', 'status', 'type', 'tag'];

/** A URL with parameters of the list defines its complete state; stored settings apply only without them. */
export function settingsFromParams(params: URLSearchParams, stored: ToggleListSettings): ToggleListSettings {
  const base = LIST_PARAMS.some((name) => params.has(name)) ? defaultSettings : stored;
  const interval = params.get('interval');
  const sort = toToggleSort(params.get('sort') ?? base.sort);
  const order = params.get('order');
  return {
    filter: params.get('filter') ?? base.filter,
    sort,
    reversed: order === null ? base.reversed : order === sortDirection({ sort, reversed: true }),
    showLastHour: interval === null ? base.showLastHour : interval === 'hour',
    currentProjectId: params.get('project') ?? base.currentProjectId,
  };
}

export function settingsToParams(params: URLSearchParams, settings: ToggleListSettings): URLSearchParams {
  const next = new URLSearchParams(params);
  const put = (name: string, value: string, isDefault: boolean) =>
    isDefault ? next.delete(name) : next.set(name, value);
  put('filter', settings.filter, settings.filter === defaultSettings.filter);
  put('sort', settings.sort, settings.sort === defaultSettings.sort);
  put('order', sortDirection(settings), !settings.reversed);
  put('interval', 'hour', !settings.showLastHour);
  put('project', settings.currentProjectId, settings.currentProjectId === allProjects);
  return next;
}

const storedSettings = createStore(readSettings(group, defaultSettings));

const STORE_DELAY_MS = 150;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Stores the current settings in the browser after a pause of 150 ms, so that a series of changes writes once. */
function storeLater() {
  clearTimeout(waiting);
  waiting = setTimeout(storeNow, STORE_DELAY_MS);
}

function storeNow() {
  if (waiting === undefined) return;
  clearTimeout(waiting);
  waiting = undefined;
  writeSettings(group, storedSettings.get());
}

// The page may unload during the pause.
globalThis.addEventListener?.('pagehide', storeNow);

type EditParams = (current: URLSearchParams) => URLSearchParams;
type UrlParams = readonly [URLSearchParams, (edit: EditParams) => void];

/** Settings of the toggle list, from the URL parameters and the function that changes them. */
export function useToggleListSettings([params, changeParams]: UrlParams) {
  const settings = settingsFromParams(params, useStore(storedSettings));
  /** Changes settings. `editOthers` changes other URL parameters in the same navigation. */
  function change(part: Partial<ToggleListSettings>, editOthers: EditParams = (current) => current) {
    changeParams((current) => {
      const next = { ...settingsFromParams(current, storedSettings.get()), ...part };
      storedSettings.set(next);
      storeLater();
      return settingsToParams(editOthers(current), next);
    });
  }
  return { settings, change };
}

/** Exists on every server. Toggles without a project belong to it. */
export const DEFAULT_PROJECT = 'default';

/** Returns the project of a new toggle: the list's stored project, or the default project if it shows all projects. */
export function getNewToggleProject(): string {
  return projectOrDefault(storedSettings.get());
}

/** Returns the project of a new toggle for these URL parameters; undefined if it equals the stored project. */
export function getNewToggleProjectOverride(params: URLSearchParams): string | undefined {
  const project = projectOrDefault(settingsFromParams(params, storedSettings.get()));
  return project === getNewToggleProject() ? undefined : project;
}

function projectOrDefault({ currentProjectId }: ToggleListSettings): string {
  return currentProjectId === allProjects ? DEFAULT_PROJECT : currentProjectId;
}
