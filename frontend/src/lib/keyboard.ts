// Preference: single-key shortcuts such as `/`. Users of speech input can switch them off (WCAG 2.1.4).

import { useEffect, useEffectEvent } from 'react';
import { readStored, writeStored } from './storage';
import { createStore, useStore } from './store';

const STORAGE_KEY = 'flagdeck:single-keys';

const enabled = createStore(readStored(STORAGE_KEY) !== false);

export function useSingleKeys(): boolean {
  return useStore(enabled);
}

export function setSingleKeys(next: boolean): void {
  writeStored(STORAGE_KEY, next);
  enabled.set(next);
}

/** Returns whether focus is in a text field or a dialog, where page shortcuts must not handle the key. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog] *')
  );
}

/** Returns whether a letter is pressed with Ctrl or Cmd, and without other modifiers. */
export function isCommandKey(event: KeyboardEvent, letter: string): boolean {
  return event.key.toLowerCase() === letter && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
}

/** Calls `onKey` for each key that is pressed on the page, wherever the focus is. */
export function useDocumentKeys(onKey: (event: KeyboardEvent) => void): void {
  const handle = useEffectEvent(onKey);
  // An effect, because React receives only the keys that are pressed inside a component.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
