import { createStore, useStore } from './store';

/** As public/start.js reads it before the first paint. */
const STORAGE_KEY = 'flagdeck:theme';

export type Theme = 'light' | 'dark' | 'system';

const systemDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

const theme = createStore<Theme>(storedTheme());

function paint(): void {
  const chosen = theme.get();
  const dark = chosen === 'dark' || (chosen === 'system' && systemDark?.matches === true);
  document.documentElement.classList.toggle('dark', dark);
}

systemDark?.addEventListener('change', paint);
// It may have changed since the first paint: this comes when the browser is idle.
if (systemDark) paint();

export function useTheme(): Theme {
  return useStore(theme);
}

export function chooseTheme(next: Theme): void {
  try {
    if (next === 'system') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // The choice then holds until the page is closed.
  }
  theme.set(next);
  paint();
}
