import { type PointerEvent, type ReactNode, useState } from 'react';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { andMore } from '@/lib/text';
import { axisLabels, periodFormatter, type Range } from './periods';
import './callChart.css';

interface Props {
  /** Accessible name, with the sums. */
  label: string;
  /** Start of each period in ms. */
  starts: readonly number[];
  range: Range;
  /** Returns the text of a period. */
  describe: (index: number) => string;
  /** Links above the plot. */
  marks?: ReactNode;
  /** Labels of the value axis. */
  valueAxis: ReactNode;
  /** Value of each period; undefined without reports. */
  values: readonly unknown[];
  /** Shapes of the plot, which is 100 high and one unit wide per period. */
  children: ReactNode;
}

/** Axes, grid and keyboard control of a chart with one value for each period. Pointer and arrow keys show the value of a period. */
export function ChartFrame(props: Props) {
  const { label, starts, range, describe, marks, valueAxis, values, children } = props;
  const locale = useLocale();
  const [active, setActive] = useState<number>();
  const last = starts.length - 1;
  const formatPeriod = periodFormatter(range, locale);
  const labels = axisLabels(starts, range, locale);
  const describePeriod = (index: number) => `${formatPeriod(starts[index] ?? 0)}: ${describe(index)}`;

  function point({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    setActive(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * starts.length))));
  }

  return (
    <figure aria-label={label} className="call-chart text-label text-muted tabular-nums">
      {marks}
      {valueAxis}
      <div
        className="call-chart-plot"
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setActive(undefined)}
      >
        <input
          type="range"
          aria-label={range === 'hour' ? 'Minute' : 'Hour'}
          aria-valuetext={describePeriod(active ?? last)}
          min={0}
          max={last}
          value={active ?? last}
          onFocus={() => setActive(active ?? last)}
          onBlur={() => setActive(undefined)}
          onChange={(event) => setActive(Number(event.target.value))}
          className="call-chart-slider"
        />
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${starts.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="size-full"
        >
          <path d={gapPath(values)} className="call-chart-gap" />
          {active !== undefined && <rect x={active} width="1" height={HEIGHT} className="call-chart-active" />}
          <path
            d={labels.map(({ index }) => `M${index} 0V${HEIGHT}`).join('')}
            vectorEffect="non-scaling-stroke"
            className="call-chart-grid"
          />
          {children}
        </svg>
        {active !== undefined && <Tooltip at={(active + 0.5) / starts.length} lines={[describePeriod(active)]} />}
      </div>
      <div aria-hidden="true" className="call-chart-times">
        {labels.map(({ index, text }) => (
          <span
            key={index}
            className={cx('whitespace-nowrap', range === 'week' && 'is-day')}
            style={{ left: `${(index / starts.length) * 100}%` }}
          >
            {text}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** Number of lines before "and n more". */
const MAX_LINES = 6;

/** Lines above the plot, such as the counts of a period. Its alignment changes with its position, so that it stays inside. */
export function Tooltip({ at, lines }: { at: number; lines: readonly string[] }) {
  const left = `${at * 100}%`;
  return (
    <div
      aria-hidden="true"
      className="call-chart-tooltip w-max max-w-full rounded-control border border-line-inverse bg-inverse px-2.5 py-1.5 text-on-inverse shadow-overlay"
      style={{ left, transform: `translateX(-${left})` }}
    >
      {lines.slice(-MAX_LINES).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {lines.length > MAX_LINES && <p>{andMore(lines, MAX_LINES)}</p>}
    </div>
  );
}

/** Height of the plot. */
export const HEIGHT = 100;
const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8];

/** Rounds up to a multiple of a power of ten. */
export function roundUp(value: number): number {
  if (value === 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((factor) => factor * power >= value) ?? 10) * power;
}

/** SVG path of the periods without a value. Adjacent periods are one rectangle. */
export function gapPath(values: readonly unknown[]): string {
  let path = '';
  let start: number | undefined;
  for (let index = 0; index <= values.length; index += 1) {
    const isGap = index < values.length && values[index] === undefined;
    if (isGap) start ??= index;
    else if (start !== undefined) {
      path += `M${start} 0H${index}V${HEIGHT}H${start}z`;
      start = undefined;
    }
  }
  return path;
}
