// All keyboard shortcuts, used by the shortcut sheet and the key listener.
import { paths, type Section, sections } from '@/paths';
import { paletteKeys } from './commands';

export interface Shortcut {
  keys: string;
  label: string;
}

type GoTo = Shortcut & Section;

/** The pages of daily work, by their second key. */
const LETTERS: { [section in keyof typeof sections]?: string } = {
  toggles: 'f',
  evaluation: 'e',
  history: 'h',
  applications: 'a',
  archive: 'r',
};

/** The first key of the shortcuts that open a page. */
export const GO = 'g';

export const goTo: readonly GoTo[] = [
  ...Object.entries(LETTERS).map(([section, letter]) => {
    const target: Section = sections[section as keyof typeof sections];
    return { ...target, keys: `${GO} ${letter}` };
  }),
  { keys: `${GO} n`, label: 'New toggle', path: paths.createToggle() },
];

/** Single-key shortcuts, which can be disabled. */
export const search: Shortcut = { keys: '/', label: 'Search this page' };
export const rows: readonly Shortcut[] = [
  { keys: 'j k', label: 'Next or previous row of a list' },
  { keys: 'Enter', label: 'Open the row' },
  { keys: 'x', label: 'Select the row for bulk actions' },
  { keys: 'e', label: 'Edit the row, or the first rollout of a toggle' },
];
export const help: Shortcut = { keys: '?', label: 'Show keyboard shortcuts' };

/** Examples of what can be typed into the command palette. */
export const paletteExamples: readonly Shortcut[] = [
  { keys: 'set one-page 25', label: 'Set a rollout to 25 %' },
  { keys: 'why one-page 4711', label: 'Explain the result of a user' },
  { keys: 'disable one-page', label: 'Switch a toggle' },
  { keys: 'ines yesterday', label: 'Show the changes of a user' },
  { keys: 'stale unused', label: 'Find toggles to clean up' },
];

/** Shortcuts with a modifier key, which are always enabled. */
export const chords: readonly Shortcut[] = [
  { keys: paletteKeys, label: 'Open the command palette' },
  { keys: 'Ctrl S', label: 'Save all changes of a toggle' },
  { keys: 'Ctrl Z', label: 'Undo the last action' },
  { keys: 'F6', label: 'Move to the bar or message at the bottom edge, and back' },
];
