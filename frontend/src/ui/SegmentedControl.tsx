import { useId } from 'react';
import { cx } from '@/lib/cx';
import type { Option } from './Select';

export interface SegmentedControlProps<T extends string> {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
}

/** Radio group in one row. */
export function SegmentedControl<T extends string>({ label, value, options, onChange }: SegmentedControlProps<T>) {
  const name = useId();
  return (
    <fieldset
      aria-label={label}
      className="inline-flex h-control shrink-0 overflow-hidden rounded-control border border-line-control bg-surface shadow-card touch:h-touch"
    >
      {options.map((option) => (
        <label key={option.value} className={SEGMENT}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

const SEGMENT = cx(
  'relative inline-flex flex-1 cursor-pointer items-center justify-center whitespace-nowrap px-3 font-medium text-muted text-secondary',
  'transition-colors duration-120 hover:text-text not-last:border-line-strong not-last:border-r',
  'has-checked:forced-selected has-checked:bg-accent-soft has-checked:font-semibold has-checked:text-accent',
  'has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
);

/** Radio group in one row, below its visible label. */
export function SegmentedField<T extends string>(props: SegmentedControlProps<T>) {
  return (
    <div className="grid gap-1.5">
      <span aria-hidden="true" className="font-semibold text-secondary">
        {props.label}
      </span>
      <SegmentedControl {...props} />
    </div>
  );
}
