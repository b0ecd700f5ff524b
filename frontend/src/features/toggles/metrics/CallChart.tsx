import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Counts } from '@/api/generated/types';
import { yesRate } from '@/domain/toggles/YesRateRing';
import { formatNumber, withPercentSign } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { ChartFrame, HEIGHT, roundUp, Tooltip } from './ChartFrame';
import type { ChangeMark } from './changeMarks';
import { changeFormatter, type Period, type Range } from './periods';

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
  const scale = chartScale(periods);
  return (
    <ChartFrame
      label={label}
      starts={periods.map(({ start }) => start)}
      range={range}
      describe={(index) => {
        const counts = periods[index]?.counts;
        return counts ? describeCalls(counts, locale) : gapText;
      }}
      marks={marks.length > 0 && <ChangeMarks marks={marks} range={range} locale={locale} eventHref={eventHref} />}
      valueAxis={<ValueAxis scale={scale} locale={locale} />}
      values={periods.map(({ counts }) => counts)}
    >
      <path
        d={marks.map(({ at }) => `M${at * periods.length} 0V100`).join('')}
        vectorEffect="non-scaling-stroke"
        className="call-chart-change"
      />
      <path d={barPath(periods, 'yes', scale)} className="call-chart-yes" />
      <path d={barPath(periods, 'no', scale)} className="call-chart-no" />
      <path d={`M0 ${scale.zero}H${periods.length}`} vectorEffect="non-scaling-stroke" className="call-chart-zero" />
    </ChartFrame>
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

/** Small counts stay visible. */
const MIN_BAR = 1;

/** Both directions have the same scale. */
export function chartScale(periods: readonly Period[]): Scale {
  const highest = (key: keyof Counts) => periods.reduce((max, { counts }) => Math.max(max, counts?.[key] ?? 0), 0);
  const yes = roundUp(highest('yes'));
  const no = roundUp(highest('no'));
  return { yes, no, zero: yes + no === 0 ? HEIGHT / 2 : (yes / (yes + no)) * HEIGHT };
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
