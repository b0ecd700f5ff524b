import { useLayoutEffect, useRef } from 'react';

interface Props {
  /** Accessible name. */
  label: string;
  /** Number of selected items. */
  count: number;
  total: number;
  onChange: (checked: boolean) => void;
}

/** Checkbox that selects all items of a list, with a dash if some are selected. */
export function SelectAllCheckbox({ label, count, total, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const isPartial = count > 0 && count < total;
  // An effect, because HTML has no attribute for this state.
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = isPartial;
  });
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      checked={count > 0 && count === total}
      onChange={({ target }) => onChange(target.checked)}
      className="cursor-pointer"
    />
  );
}
