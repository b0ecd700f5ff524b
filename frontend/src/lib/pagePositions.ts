// Where each page of this visit was left, so that the way back leads there: how far down, and at which row of a list.

interface Place {
  y: number;
  row?: { key: string; control: number };
}

const places = new Map<string, Place>();
let here = '';

/** Rows come with the scroll position that shows them, a few frames later. */
const FRAMES = 30;

/** From now on what happens belongs to this entry of the history; `continues`: it only replaced the one before. */
export function setCurrentEntry(entry: string, continues: boolean): void {
  const before = places.get(here);
  if (continues && before) places.set(entry, before);
  here = entry;
}

export function getPagePosition(entry: string): Place | undefined {
  return places.get(entry);
}

/** Follows the page until the returned function is called. */
export function trackPagePosition(): () => void {
  const onScroll = () => places.set(here, { ...places.get(here), y: scrollY });
  const onFocus = ({ target }: FocusEvent) => {
    const row = target instanceof HTMLElement ? rowOf(target) : undefined;
    places.set(here, { y: scrollY, ...(row && { row }) });
  };
  addEventListener('scroll', onScroll, { passive: true });
  addEventListener('focusin', onFocus);
  return () => {
    removeEventListener('scroll', onScroll);
    removeEventListener('focusin', onFocus);
  };
}

/** Focuses the control of the row that the page was left by; `otherwise` where there is none any more. */
export function restoreRowFocus({ row }: Place, otherwise: () => void, frames = FRAMES): void {
  const found = row && document.querySelector(`main tr[data-key="${CSS.escape(row.key)}"]`);
  const control = found && controlsOf(found)[row.control];
  if (control) control.focus({ preventScroll: true });
  else if (row && frames > 0) requestAnimationFrame(() => restoreRowFocus({ y: 0, row }, otherwise, frames - 1));
  else otherwise();
}

function rowOf(element: HTMLElement): Place['row'] {
  const row = element.closest<HTMLElement>('tr[data-key]');
  const key = row?.dataset['key'];
  return row && key !== undefined ? { key, control: controlsOf(row).indexOf(element) } : undefined;
}

function controlsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a, button, input')];
}
