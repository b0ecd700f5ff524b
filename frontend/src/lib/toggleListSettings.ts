// Filter, project, sort order and metric interval of the toggle list and the archive: from the URL, or else as stored.
import { debounce } from './debounce';
import { readSettings, writeSettings } from './localSettings';
import { createStore, type Store, useStore } from './store';
import { allProjects, type ToggleSort, toggleSorts } from './toggleList';

export interface ToggleListSettings {
  readonly filter: string;
  readonly sort: ToggleSort;
  readonly showLastHour: boolean;
  readonly currentProjectId: string;
}

const group = 'feature';

export const defaultSettings: ToggleListSettings = {
  filter: '',
  sort: 'name',
  showLastHour: false,
  currentProjectId: allProjects,
};

export const clearedFilter = { filter: '', currentProjectId: allProjects };

function knownSort(sort: string): ToggleSort {
  return toggleSorts.find(({ value }) => value === sort)?.value ?? defaultSettings.sort;
}

/** Every URL parameter of the list, those of the filter panel included. */
const LIST_PARAMS = ['filter', 'sort', 'interval', 'project', 'state', 'status', 'type', 'tag'];

/** A URL with parameters of the list defines its complete state; stored settings apply only without them. */
export function settingsFromParams(params: URLSearchParams, stored: ToggleListSettings): ToggleListSettings {
  const left = LIST_PARAMS.some((name) => params.has(name)) ? defaultSettings : stored;
  const interval = params.get('interval');
  return {
    filter: params.get('filter') ?? left.filter,
    sort: knownSort(params.get('sort') ?? left.sort),
    showLastHour: interval === null ? left.showLastHour : interval === 'hour',
    currentProjectId: params.get('project') ?? left.currentProjectId,
  };
}

export function settingsToParams(params: URLSearchParams, settings: ToggleListSettings): URLSearchParams {
  const next = new URLSearchParams(params);
  const put = (name: string, value: string, isDefault: boolean) =>
    isDefault ? next.delete(name) : next.set(name, value);
  put('filter', settings.filter, settings.filter === defaultSettings.filter);
  put('sort', settings.sort, settings.sort === defaultSettings.sort);
  put('interval', 'hour', !settings.showLastHour);
  put('project', settings.currentProjectId, settings.currentProjectId === allProjects);
  return next;
}

const save = debounce((settings: ToggleListSettings) => writeSettings(group, settings), 150);

let store: Store<ToggleListSettings> | undefined;

function lastLeft(): Store<ToggleListSettings> {
  if (!store) {
    store = createStore(readSettings(group, defaultSettings));
    // Whoever leaves faster than the settings are written finds them all the same.
    globalThis.addEventListener?.('pagehide', save.flush);
  }
  return store;
}

type EditParams = (current: URLSearchParams) => URLSearchParams;
type UrlParams = readonly [URLSearchParams, (edit: EditParams) => void];

/** Takes the parameters of the URL and the function that changes them. */
export function useToggleListSettings([params, changeParams]: UrlParams) {
  const settings = settingsFromParams(params, useStore(lastLeft()));
  /** `editOthers` changes parameters that are no settings in the same step. */
  function change(part: Partial<ToggleListSettings>, editOthers: EditParams = (current) => current) {
    changeParams((current) => {
      const next = { ...settingsFromParams(current, lastLeft().get()), ...part };
      lastLeft().set(next);
      save(next);
      return settingsToParams(editOthers(current), next);
    });
  }
  return { settings, change };
}

const DEFAULT_PROJECT = 'default';

/** The project of a new toggle: the stored project of the list, or the default project if it shows all of them. */
export function getNewToggleProject(): string {
  return projectOrDefault(lastLeft().get());
}

/** The same for a list with these parameters; undefined if it does not differ from the stored project. */
export function getNewToggleProjectOverride(params: URLSearchParams): string | undefined {
  const project = projectOrDefault(settingsFromParams(params, lastLeft().get()));
  return project === getNewToggleProject() ? undefined : project;
}

function projectOrDefault({ currentProjectId }: ToggleListSettings): string {
  return currentProjectId === allProjects ? DEFAULT_PROJECT : currentProjectId;
}
