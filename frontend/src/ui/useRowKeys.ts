// Keys of lists, for the history and all tables. The row cursor is the focus, so that Tab, Enter and screen readers know it.
import type { RefObject } from 'react';
import { isPageKey, isSecondOfChord, useDocumentKeys, useSingleKeys } from '@/lib/keyboard';

export type Step = 1 | -1;

interface Options {
  /** Focuses the row after or before `row`, or the first row. Returns false without such a row. Default: among rendered rows. */
  move?: (step: Step, row: HTMLElement | undefined) => boolean;
  /** Edits a row. Default: its edit button. */
  onEdit?: ((row: HTMLElement) => void) | undefined;
}

/** Keys in a list: j and k from anywhere on the page; the arrow keys, x and e in a row. */
export function useRowKeys(list: RefObject<HTMLElement | null>, options: Options = {}): void {
  const hasSingleKeys = useSingleKeys();
  useDocumentKeys((event) => {
    const { key, shiftKey, target } = event;
    const element = list.current;
    if (!element || shiftKey || !isPageKey(event)) return;
    const row = target instanceof Element ? findRow(element, target) : undefined;
    const { move = (step: Step) => moveInDocument(element, step, row), onEdit = pressEdit } = options;
    const isSingle = key.length === 1;
    if (isSingle ? !hasSingleKeys || isSecondOfChord(event) : !row) return;
    const step = STEPS[key];
    const isDone = step === undefined ? row !== undefined && act(key, row, onEdit) : move(step, row);
    if (isDone) event.preventDefault();
  });
}

const STEPS: { readonly [key: string]: Step } = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Items of the history, and rows of tables. */
const ROW = 'li:has([data-row]), tbody tr';

/** What has the focus while the cursor is in a row: its main control, or else its first one. */
const CONTROLS = ['[data-row]', 'th :is(a, button)', 'a, button, input'];

function findRow(list: HTMLElement, element: Element): HTMLElement | undefined {
  const row = element.closest<HTMLElement>(ROW);
  return row && list.contains(row) ? row : undefined;
}

function findControl(row: HTMLElement): HTMLElement | undefined {
  for (const selector of CONTROLS) {
    const control = row.querySelector<HTMLElement>(selector);
    if (control) return control;
  }
  return undefined;
}

function moveInDocument(list: HTMLElement, step: Step, row: HTMLElement | undefined): boolean {
  const rows = [...list.querySelectorAll<HTMLElement>(ROW)].filter(findControl);
  const next = row ? rows[rows.indexOf(row) + step] : rows[0];
  if (next) focusRow(next);
  return next !== undefined;
}

/** Moves the cursor to a row, and scrolls the whole row into view. */
export function focusRow(row: HTMLElement): void {
  findControl(row)?.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}

function act(key: string, row: HTMLElement, onEdit: (row: HTMLElement) => void): boolean {
  if (key === 'x') {
    const checkbox = row.querySelector<HTMLElement>('[data-select]');
    checkbox?.click();
    return checkbox !== null;
  }
  if (key === 'e') onEdit(row);
  return key === 'e';
}

/** Follows the edit link of a row. A disabled one gets the focus, and shows its reason. */
function pressEdit(row: HTMLElement): void {
  const edit = row.querySelector<HTMLElement>('[data-edit]');
  if (edit?.getAttribute('aria-disabled') === 'true') edit.focus();
  else edit?.click();
}

/** Class of a row: the outline of the whole row replaces that of its main control. */
export const rowCursorClass =
  'outline-accent -outline-offset-2 has-[th_:is(a,button):focus-visible]:outline-2 [&_th_:is(a,button)]:outline-none';
