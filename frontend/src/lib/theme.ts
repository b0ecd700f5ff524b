import { createStore, useStore } from './store';

/** Must match `public/start.js`, which reads it before the first paint. */
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

function applyTheme(): void {
  const chosen = theme.get();
  const dark = chosen === 'dark' || (chosen === 'system' && systemDark?.matches === true);
  document.documentElement.classList.toggle('dark', dark);
}

systemDark?.addEventListener('change', applyTheme);
// The system theme may have changed since the first paint, because this module loads when idle.
if (systemDark) applyTheme();

export function useTheme(): Theme {
  return useStore(theme);
}

export function chooseTheme(next: Theme): void {
  try {
    if (next === 'system') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // The choice then lasts until the page is closed.
  }
  theme.set(next);
  applyTheme();
}
