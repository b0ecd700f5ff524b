import { readSettings, writeSettings } from '@/lib/localSettings';
import { createStore, useStore } from '@/lib/store';

const group = 'history';

/** Preference: show full events instead of their changes. Stored in this browser. */
const showData = createStore(readSettings(group, { showData: false }).showData);

export function useShowFullEvents() {
  return [useStore(showData), change] as const;
}

function change(next: boolean): void {
  showData.set(next);
  writeSettings(group, { showData: next });
}
