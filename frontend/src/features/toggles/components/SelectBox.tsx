// Chooses a row: by pointer or Space, with Shift a range, and with the arrows on to the next row.
import type { ChangeEvent, KeyboardEvent, MouseEvent } from 'react';
import type { Choice } from '../selection';

export const BULK_BAR = 'bulk-bar';

interface Props {
  name: string;
  checked: boolean;
  onChoose: (choice: Choice) => void;
}

export function SelectBox({ name, checked, onChoose }: Props) {
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
        onMouseDown={keepText}
        onKeyDown={onKeyDown}
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  );
}

/** With Shift a press would mark the text between it and the last one. */
function keepText(event: MouseEvent<HTMLInputElement>): void {
  if (!event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.focus();
}

function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter') {
    event.preventDefault();
    document.getElementById(BULK_BAR)?.focus();
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
