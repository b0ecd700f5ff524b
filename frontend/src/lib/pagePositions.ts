// Scroll position and focused row of each history entry, restored when the user navigates back.

interface PagePosition {
  y: number;
  row?: { key: string; control: number };
}

const positions = new Map<string, PagePosition>();
let currentEntry = '';

/** Maximum number of frames to wait for a virtual row to be rendered after scrolling. */
const MAX_FRAMES = 30;

/** Sets the current history entry. With `isReplacement`, it takes over the position of the previous entry. */
export function setCurrentEntry(entry: string, isReplacement: boolean): void {
  const before = positions.get(currentEntry);
  if (isReplacement && before) positions.set(entry, before);
  currentEntry = entry;
}

export function getPagePosition(entry: string): PagePosition | undefined {
  return positions.get(entry);
}

/** Records scroll position and focused row until the returned function is called. */
export function trackPagePosition(): () => void {
  const onScroll = () => positions.set(currentEntry, { ...positions.get(currentEntry), y: scrollY });
  const onFocus = ({ target }: FocusEvent) => {
    const row = target instanceof HTMLElement ? rowOf(target) : undefined;
    positions.set(currentEntry, { y: scrollY, ...(row && { row }) });
  };
  addEventListener('scroll', onScroll, { passive: true });
  addEventListener('focusin', onFocus);
  return () => {
    removeEventListener('scroll', onScroll);
    removeEventListener('focusin', onFocus);
  };
}

/** Focuses the row's control that last had focus, or calls `otherwise` if the row is gone. */
export function restoreRowFocus({ row }: PagePosition, otherwise: () => void, frames = MAX_FRAMES): void {
  const found = row && document.querySelector(`main tr[data-key="${CSS.escape(row.key)}"]`);
  const control = found && controlsOf(found)[row.control];
  if (control) control.focus({ preventScroll: true });
  else if (row && frames > 0) requestAnimationFrame(() => restoreRowFocus({ y: 0, row }, otherwise, frames - 1));
  else otherwise();
}

function rowOf(element: HTMLElement): PagePosition['row'] {
  const row = element.closest<HTMLElement>('tr[data-key]');
  const key = row?.dataset['key'];
  return row && key !== undefined ? { key, control: controlsOf(row).indexOf(element) } : undefined;
}

function controlsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a, button, input')];
}
