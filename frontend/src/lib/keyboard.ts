// Keys of the page, and the preference for single-key shortcuts such as `/`: users of speech input can switch them off
// (WCAG 2.1.4).

import { useEffect, useEffectEvent } from 'react';
import { isOverlayOpen } from './overlays';
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

/** Returns whether a key without modifiers belongs to the page: not to a text field, a dialog, a menu or another handler. */
export function isPageKey(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, defaultPrevented } = event;
  return !defaultPrevented && !ctrlKey && !metaKey && !altKey && !isTyping(event) && !isOverlayOpen();
}

/** Maximum time between the two keys of a shortcut. */
const CHORD_TIMEOUT_MS = 1500;

/** The keys of a shortcut of two keys; undefined before its first key. */
let chord: { first: KeyboardEvent; second?: KeyboardEvent } | undefined;

/** Makes the next key the second one of a shortcut, such as `g h`. */
export function startChord(first: KeyboardEvent): void {
  chord = { first };
}

/** Returns whether a key follows `startChord`. It is no shortcut of its own then, whichever listener receives it first. */
export function isSecondOfChord(event: KeyboardEvent): boolean {
  if (!chord || event === chord.first || event.timeStamp - chord.first.timeStamp >= CHORD_TIMEOUT_MS) return false;
  chord.second ??= event;
  return chord.second === event;
}

/** Returns whether focus is in a field, an open list of options or a dialog, where page shortcuts must not handle the key. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio]), textarea, select, select *, [role=dialog] *')
  );
}

/** `keyCode` of keys that an input method handles. */
const HANDLED_BY_INPUT_METHOD = 229;

/** Returns whether the key belongs to an input method, with which Enter, Escape and arrows act on what is composed. */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  // Safari ends the composition before the key that ends it: only the code tells.
  return isComposing || keyCode === HANDLED_BY_INPUT_METHOD;
}

/** Returns whether Enter is pressed, unless it confirms what is composed with an input method. */
export function isEnter(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && !isComposing(event);
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
