// Every key that does something on every page, in one table: the sheet lists it, and the listener obeys it.
import { paths, sections } from '@/paths';
import { paletteKeys } from './commands';

export interface Shortcut {
  keys: string;
  label: string;
}

interface GoTo extends Shortcut {
  path: string;
}

const LETTERS: { [section in keyof typeof sections]: string } = {
  toggles: 'f',
  strategies: 's',
  history: 'h',
  archive: 'r',
  applications: 'a',
  missingToggles: 'm',
  contextFields: 'c',
  projects: 'p',
  tagTypes: 'y',
  tags: 't',
  addons: 'o',
};

/** The first key of those that lead to a page. */
export const GO = 'g';

export const goTo: readonly GoTo[] = [
  ...Object.entries(LETTERS).map(([section, letter]) => {
    const { label, path } = sections[section as keyof typeof sections];
    return { keys: `${GO} ${letter}`, label, path };
  }),
  { keys: `${GO} n`, label: 'New toggle', path: paths.createToggle() },
];

/** Single keys, which can be switched off. */
export const search: Shortcut = { keys: '/', label: 'Search this page' };
export const help: Shortcut = { keys: '?', label: 'Show the keyboard shortcuts' };

/** These hold always: no text is written with them. */
export const chords: readonly Shortcut[] = [
  { keys: paletteKeys, label: 'Search and act: the command palette' },
  { keys: 'Ctrl Z', label: 'Undo what the message at the lower edge tells' },
];
