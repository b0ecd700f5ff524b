// What the list and the archive are narrowed and ordered by: in the address when changed, else as it was left last.
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

export const noFilter = { filter: '', currentProjectId: allProjects };

function knownSort(sort: string): ToggleSort {
  return toggleSorts.find(({ value }) => value === sort)?.value ?? defaultSettings.sort;
}

export function fromParams(params: URLSearchParams, left: ToggleListSettings): ToggleListSettings {
  const interval = params.get('interval');
  return {
    filter: params.get('filter') ?? left.filter,
    sort: knownSort(params.get('sort') ?? left.sort),
    showLastHour: interval === null ? left.showLastHour : interval === 'hour',
    currentProjectId: params.get('project') ?? left.currentProjectId,
  };
}

export function toParams(params: URLSearchParams, settings: ToggleListSettings): URLSearchParams {
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

type SetParams = (params: URLSearchParams, options: { replace: boolean }) => void;

/** Takes what the router's `useSearchParams` gives, and replaces the history entry: Back leaves the list. */
export function useToggleListSettings([params, setParams]: readonly [URLSearchParams, SetParams]) {
  const settings = fromParams(params, useStore(lastLeft()));
  /** `base`: the address to write into, where more than the settings changes at once. */
  function change(part: Partial<ToggleListSettings>, base = params) {
    const next = { ...settings, ...part };
    lastLeft().set(next);
    save(next);
    setParams(toParams(base, next), { replace: true });
  }
  return { settings, change };
}

/** The project a new toggle goes to: the one that the list was narrowed to. */
export function lastProject(): string {
  const { currentProjectId } = lastLeft().get();
  return currentProjectId === allProjects ? 'default' : currentProjectId;
}
