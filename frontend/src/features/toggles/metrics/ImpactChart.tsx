import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { ChartFrame, HEIGHT, roundUp } from './ChartFrame';
import type { ImpactPeriod } from './impactPeriods';

interface Props {
  /** Accessible name. */
  label: string;
  periods: readonly ImpactPeriod[];
  scale: ImpactScale;
}

/** Bars of a metric, one for each minute. */
export function ImpactChart({ label, periods, scale }: Props) {
  const locale = useLocale();
  const zero = positionOf(0, scale);
  return (
    <ChartFrame
      isSmall
      label={label}
      starts={periods.map(({ start }) => start)}
      range="hour"
      describe={(index) => {
        const value = periods[index]?.value;
        return value === undefined ? 'no reports' : formatValue(value, locale);
      }}
      valueAxis={<ValueAxis scale={scale} locale={locale} />}
      values={periods.map(({ value }) => value)}
    >
      <path d={impactPath(periods, scale)} className="call-chart-value" />
      <path d={`M0 ${zero}H${periods.length}`} vectorEffect="non-scaling-stroke" className="call-chart-zero" />
    </ChartFrame>
  );
}

function ValueAxis({ scale, locale }: { scale: ImpactScale; locale: string }) {
  const { min, max } = scale;
  const labels = [...new Set([max, 0, min])].map((value) => ({ value, text: formatValue(value, locale) }));
  const widest = labels.reduce((longest, { text }) => (text.length > longest.length ? text : longest), '');
  return (
    <div aria-hidden="true" className="call-chart-values">
      <span className="invisible">{widest}</span>
      {labels.map(({ value, text }) => (
        <span key={value} style={{ top: `${positionOf(value, scale)}%` }}>
          {text}
        </span>
      ))}
    </div>
  );
}

const MAX_DIGITS = 3;

/** Formats a value: small ones with their first digits. */
export function formatValue(value: number, locale: string): string {
  return Math.abs(value) < 1
    ? new Intl.NumberFormat(locale, { maximumSignificantDigits: MAX_DIGITS }).format(value)
    : formatNumber(value, locale);
}

/** Values at the edges of the plot. It always contains 0. */
export interface ImpactScale {
  min: number;
  max: number;
}

export function impactScale(periods: readonly ImpactPeriod[]): ImpactScale {
  const values = periods.map(({ value }) => value ?? 0);
  const max = roundUp(values.reduce((a, b) => Math.max(a, b), 0));
  const min = -roundUp(-values.reduce((a, b) => Math.min(a, b), 0));
  // 0 instead of -0, which has a sign in texts.
  return { min: min || 0, max };
}

/** Distance of a value from the upper edge. */
function positionOf(value: number, { min, max }: ImpactScale): number {
  return max === min ? HEIGHT / 2 : ((max - value) / (max - min)) * HEIGHT;
}

/** Small values stay visible. */
const MIN_BAR = 2;

/** SVG path of all bars. */
export function impactPath(periods: readonly ImpactPeriod[], scale: ImpactScale): string {
  const zero = positionOf(0, scale);
  return periods
    .map(({ value }, index) => {
      if (!value) return '';
      const height = positionOf(value, scale) - zero;
      const visible = Math.sign(height) * Math.max(MIN_BAR, Math.abs(height));
      return `M${index + 0.1} ${zero}v${visible}h.8V${zero}z`;
    })
    .join('');
}
