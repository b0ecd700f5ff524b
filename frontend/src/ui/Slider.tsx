import type { CSSProperties } from 'react';
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

/** Slider for whole numbers. */
export function Slider({ label, value, onChange, min = 0, max = 100, mark }: Props) {
  /** Place of the middle of the thumb, `--thumb` wide, which stays within the track. */
  const placeOf = (number: number) => {
    const share = (number - min) / (max - min);
    return `calc(var(--thumb) * ${0.5 - share} + ${share * 100}%)`;
  };
  return (
    <span className="relative flex min-w-0 flex-1">
      <input
        type="range"
        aria-label={label}
        data-tip={mark === undefined ? undefined : `Saved: ${withPercentSign(mark)}`}
        min={min}
        max={max}
        value={value}
        onChange={({ target }) => onChange(target.valueAsNumber)}
        style={{ '--fill': placeOf(value) } as CSSProperties}
        className="h-control w-full min-w-0 cursor-pointer touch-pan-y rounded-control touch:h-touch"
      />
      {mark !== undefined && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 h-4 -translate-1/2 border-muted border-l-2"
          style={{ left: placeOf(mark) }}
        />
      )}
    </span>
  );
}
