// Records keys that are pressed after the palette was opened and before its field has the focus, for example while its
// code loads.

/** `keys` are pressed after the text, such as Enter. */
interface TypedAhead {
  text: string;
  keys: readonly string[];
}

/** Keys that select a result. */
const ACTION_KEYS = ['Enter', 'ArrowDown', 'ArrowUp'];

let typed: TypedAhead = { text: '', keys: [] };
let stop: (() => void) | undefined;

/** Starts recording. `onEscape` closes the palette. */
export function startTypeAhead(onEscape: () => void): void {
  stopTypeAhead();
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape') onEscape();
    else if (!record(event.key)) return;
    // The focus is still elsewhere: the key must not act there.
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', onKey, { capture: true });
  stop = () => document.removeEventListener('keydown', onKey, { capture: true });
}

/** Stops recording and returns what was typed. */
export function stopTypeAhead(): TypedAhead {
  const result = typed;
  typed = { text: '', keys: [] };
  stop?.();
  stop = undefined;
  return result;
}

function record(key: string): boolean {
  const { text, keys } = typed;
  if (ACTION_KEYS.includes(key)) typed = { text, keys: [...keys, key] };
  else if (key === 'Backspace') typed = { text: [...text].slice(0, -1).join(''), keys: [] };
  else if ([...key].length === 1) typed = { text: text + key, keys: [] };
  else return false;
  return true;
}
