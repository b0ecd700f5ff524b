import { Slider as Primitive } from '@base-ui/react/slider';
import { cx } from '@/lib/cx';
import { withPercentSign } from '@/lib/format';

interface Props {
  /** Accessible name. */
  label: string;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  /** A value that is marked on the track, such as the stored one. */
  mark?: number | undefined;
}

/** Slider for whole numbers. It is disabled inside a disabled `fieldset`, like a native control. */
export function Slider({ label, value, onChange, min = 0, max = 100, mark }: Props) {
  return (
    <Primitive.Root
      value={value}
      min={min}
      max={max}
      onValueChange={onChange}
      role="presentation"
      // The primitive does not know that a `fieldset` disables its input.
      className="min-w-0 flex-1 in-disabled:pointer-events-none"
    >
      <Primitive.Control className="flex h-control cursor-pointer touch-pan-y items-center pr-2.5 touch:h-touch">
        <Primitive.Track className={TRACK}>
          <Primitive.Indicator className="rounded-full bg-accent in-disabled:bg-muted" />
          {mark !== undefined && (
            <span
              aria-hidden="true"
              data-tip={`Saved: ${withPercentSign(mark)}`}
              className="absolute top-1/2 h-4 -translate-1/2 border-muted border-l-2"
              style={{ left: `${((mark - min) / (max - min)) * 100}%` }}
            />
          )}
          <Primitive.Thumb aria-label={label} className={THUMB} />
        </Primitive.Track>
      </Primitive.Control>
    </Primitive.Root>
  );
}

const TRACK = 'relative h-1.5 w-full rounded-full bg-line-strong forced-colors:border dark:bg-line-control';

const THUMB = cx(
  'size-5 rounded-full border-2 border-accent bg-surface transition-[box-shadow] duration-120',
  'hover:ring-4 hover:ring-accent-soft in-disabled:border-muted',
  'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
);
