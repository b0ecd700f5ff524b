// Checkbox that selects a row. Shift selects a range, and arrow keys move to the next row.

import type { ChangeEvent, KeyboardEvent, MouseEvent } from 'react';
import { isEnter } from '@/lib/keyboard';
import type { RowChoice } from './useSelection';

export const BULK_BAR_ID = 'bulk-bar';

interface Props {
  name: string;
  checked: boolean;
  onChoose: (choice: RowChoice) => void;
}

export function RowCheckbox({ name, checked, onChoose }: Props) {
  const onChange = ({ nativeEvent, target }: ChangeEvent<HTMLInputElement>) =>
    onChoose({ name, checked: target.checked, range: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey });
  return (
    <label className="-my-2 -ml-1 flex cursor-pointer p-1 py-3 touch:size-touch touch:items-center touch:justify-center touch:p-0">
      <input
        type="checkbox"
        data-select
        aria-label={`Select ${name}`}
        checked={checked}
        onChange={onChange}
        onMouseDown={preventTextSelection}
        onKeyDown={onKeyDown}
        className="cursor-pointer"
      />
    </label>
  );
}

/** Prevents Shift+click from selecting text. */
function preventTextSelection(event: MouseEvent<HTMLInputElement>): void {
  if (!event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.focus();
}

function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
  if (isEnter(event.nativeEvent)) {
    event.preventDefault();
    document.getElementById(BULK_BAR_ID)?.focus();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.currentTarget.closest('tr');
  if (!step || !row) return;
  event.preventDefault();
  const index = Number(row.getAttribute('aria-rowindex')) + step;
  const next = row.parentElement?.querySelector<HTMLElement>(`tr[aria-rowindex="${index}"] [data-select]`);
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}
