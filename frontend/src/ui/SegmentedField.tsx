import { SegmentedControl, type SegmentedControlProps } from './SegmentedControl';

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
