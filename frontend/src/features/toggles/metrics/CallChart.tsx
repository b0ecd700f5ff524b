import { type PointerEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Counts } from '@/api/generated/types';
import { yesRate } from '@/domain/toggles/YesRateRing';
import { cx } from '@/lib/cx';
import { formatNumber, withPercentSign } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { andMore } from '@/lib/text';
import type { ChangeMark } from './changeMarks';
import { axisLabels, changeFormatter, type Period, periodFormatter, type Range } from './periods';
import './callChart.css';

interface Props {
  /** Accessible name, with the sums. */
  label: string;
  periods: readonly Period[];
  range: Range;
  /** Text of a period without counts, such as `no reports`. */
  gapText: string;
  /** Changes of the toggle. */
  marks: readonly ChangeMark[];
  /** Returns the link to an event. */
  eventHref: (id: number) => string;
}

/** Bars of the calls in each period: yes above the line, no below it. Pointer and arrow keys show the counts of a period. */
export function CallChart({ label, periods, range, gapText, marks, eventHref }: Props) {
  const locale = useLocale();
  const [active, setActive] = useState<number>();
  const last = periods.length - 1;
  const scale = chartScale(periods);
  const formatPeriod = periodFormatter(range, locale);
  const period = active === undefined ? undefined : periods[active];
  const labels = axisLabels(periods, range, locale);
  const describe = ({ start, counts }: Period) =>
    `${formatPeriod(start)}: ${counts ? describeCalls(counts, locale) : gapText}`;

  function point({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    setActive(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * periods.length))));
  }

  return (
    <figure aria-label={label} className="call-chart text-label text-muted tabular-nums">
      {marks.length > 0 && <ChangeMarks marks={marks} range={range} locale={locale} eventHref={eventHref} />}
      <ValueAxis scale={scale} locale={locale} />
      <div
        className="call-chart-plot"
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setActive(undefined)}
      >
        <input
          type="range"
          aria-label={range === 'hour' ? 'Minute' : 'Hour'}
          aria-valuetext={describe(period ?? periods[last] ?? { start: 0, counts: undefined })}
          min={0}
          max={last}
          value={active ?? last}
          onFocus={() => setActive(active ?? last)}
          onBlur={() => setActive(undefined)}
          onChange={(event) => setActive(Number(event.target.value))}
          className="call-chart-slider"
        />
        <svg aria-hidden="true" viewBox={`0 0 ${periods.length} 100`} preserveAspectRatio="none" className="size-full">
          <path d={gapPath(periods)} className="call-chart-gap" />
          {active !== undefined && <rect x={active} width="1" height="100" className="call-chart-active" />}
          <path
            d={labels.map(({ index }) => `M${index} 0V100`).join('')}
            vectorEffect="non-scaling-stroke"
            className="call-chart-grid"
          />
          <path
            d={marks.map(({ at }) => `M${at * periods.length} 0V100`).join('')}
            vectorEffect="non-scaling-stroke"
            className="call-chart-change"
          />
          <path d={barPath(periods, 'yes', scale)} className="call-chart-yes" />
          <path d={barPath(periods, 'no', scale)} className="call-chart-no" />
          <path
            d={`M0 ${scale.zero}H${periods.length}`}
            vectorEffect="non-scaling-stroke"
            className="call-chart-zero"
          />
        </svg>
        {period && <Tooltip at={((active ?? 0) + 0.5) / periods.length} lines={[describe(period)]} />}
      </div>
      <div aria-hidden="true" className="call-chart-times">
        {labels.map(({ index, text }) => (
          <span
            key={index}
            className={cx('whitespace-nowrap', range === 'week' && 'is-day')}
            style={{ left: `${(index / periods.length) * 100}%` }}
          >
            {text}
          </span>
        ))}
      </div>
    </figure>
  );
}

interface MarksProps {
  marks: readonly ChangeMark[];
  range: Range;
  locale: string;
  eventHref: (id: number) => string;
}

/** Links to the log at the times of changes. Pointer and focus show the changes. */
function ChangeMarks({ marks, range, locale, eventHref }: MarksProps) {
  const [active, setActive] = useState<ChangeMark>();
  const formatTime = changeFormatter(range, locale);
  const describe = ({ changes }: ChangeMark) => changes.map(({ time, text }) => `${formatTime(time)}: ${text}`);
  return (
    <nav aria-label="Changes" className="call-chart-marks">
      {marks.map((mark) => {
        const { at, changes } = mark;
        const newest = changes.at(-1);
        const title = changes.length > 1 ? [`${changes.length} changes`] : [];
        return (
          newest && (
            <Link
              key={newest.id}
              to={eventHref(newest.id)}
              aria-label={[...title, ...describe(mark)].join('; ')}
              className="call-chart-mark"
              style={{ left: `${at * 100}%` }}
              onFocus={() => setActive(mark)}
              onBlur={() => setActive(undefined)}
              onPointerEnter={() => setActive(mark)}
              onPointerLeave={() => setActive(undefined)}
              onKeyDown={({ key }) => key === 'Escape' && setActive(undefined)}
            >
              <span>{changes.length > 1 && changes.length}</span>
            </Link>
          )
        );
      })}
      {active && <Tooltip at={active.at} lines={describe(active)} />}
    </nav>
  );
}

function describeCalls(counts: Counts, locale: string): string {
  const text = `${formatNumber(counts.yes, locale)} yes, ${formatNumber(counts.no, locale)} no`;
  return counts.yes + counts.no > 0 ? `${text} (${withPercentSign(yesRate(counts))} yes)` : text;
}

/** Number of lines before "and n more". */
const MAX_LINES = 6;

/** Lines above the plot, such as the counts of a period. Its alignment changes with its position, so that it stays inside. */
function Tooltip({ at, lines }: { at: number; lines: readonly string[] }) {
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

/** Share of the height below which a label would cover the label of 0. */
const MIN_LABEL_SHARE = 12;

function ValueAxis({ scale: { yes, no, zero }, locale }: { scale: Scale; locale: string }) {
  const widest = formatNumber(Math.max(yes, no), locale);
  return (
    <div aria-hidden="true" className="call-chart-values">
      <span className="invisible">{widest}</span>
      {yes > 0 && zero >= MIN_LABEL_SHARE && <span style={{ top: 0 }}>{formatNumber(yes, locale)}</span>}
      <span style={{ top: `${zero}%` }}>{formatNumber(0, locale)}</span>
      {no > 0 && 100 - zero >= MIN_LABEL_SHARE && <span style={{ top: '100%' }}>{formatNumber(no, locale)}</span>}
    </div>
  );
}

// Geometry of the chart of calls: yes above a line, no below it. The plot is 100 high and one unit wide per period.

interface Scale {
  /** Value at the upper edge; 0 without yes. */
  yes: number;
  /** Value at the lower edge; 0 without no. */
  no: number;
  /** Distance of the line from the upper edge. */
  zero: number;
}

const HEIGHT = 100;
const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8];
/** Small counts stay visible. */
const MIN_BAR = 1;

/** Both directions have the same scale. */
export function chartScale(periods: readonly Period[]): Scale {
  const highest = (key: keyof Counts) => periods.reduce((max, { counts }) => Math.max(max, counts?.[key] ?? 0), 0);
  const yes = roundUp(highest('yes'));
  const no = roundUp(highest('no'));
  return { yes, no, zero: yes + no === 0 ? HEIGHT / 2 : (yes / (yes + no)) * HEIGHT };
}

/** Rounds up to a multiple of a power of ten. */
function roundUp(value: number): number {
  if (value === 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((factor) => factor * power >= value) ?? 10) * power;
}

/** SVG path of all bars of one direction. */
export function barPath(periods: readonly Period[], key: keyof Counts, scale: Scale): string {
  const direction = key === 'yes' ? -1 : 1;
  return periods
    .map(({ counts }, index) => {
      const value = counts?.[key] ?? 0;
      if (value === 0) return '';
      const height = Math.max(MIN_BAR, (value / (scale.yes + scale.no)) * HEIGHT);
      return `M${index + 0.1} ${scale.zero}v${direction * height}h.8V${scale.zero}z`;
    })
    .join('');
}

/** SVG path of the periods without counts. Adjacent periods are one rectangle. */
export function gapPath(periods: readonly Period[]): string {
  let path = '';
  let start: number | undefined;
  for (let index = 0; index <= periods.length; index += 1) {
    const isGap = index < periods.length && periods[index]?.counts === undefined;
    if (isGap) start ??= index;
    else if (start !== undefined) {
      path += `M${start} 0H${index}V${HEIGHT}H${start}z`;
      start = undefined;
    }
  }
  return path;
}
