import { cx } from '@/lib/cx';
import { withPercentSign } from '@/lib/format';

const RADIUS = 8;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

interface YesRateRingProps {
  /** Undefined without evaluations, which differs from a rate of 0 %. */
  counts: { yes: number; no: number } | undefined;
  /** For a place of its own, and not for a row of a table. */
  isLarge?: boolean;
}

/** The share of evaluations that returned yes, as a ring and a number. In rows on phones, the number is below the ring. */
export function YesRateRing({ counts, isLarge = false }: YesRateRingProps) {
  const rate = counts && yesRate(counts);
  return (
    <span
      role="img"
      aria-label={rate === undefined ? 'No data' : `${withPercentSign(rate)} yes`}
      className={cx(
        'inline-flex items-center',
        isLarge ? 'gap-2' : 'gap-1.5 max-sm:w-10 max-sm:flex-col max-sm:gap-0.5',
      )}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true" className={cx('shrink-0', isLarge ? 'size-7' : 'size-5')}>
        <circle
          cx="10"
          cy="10"
          r={RADIUS}
          fill="none"
          strokeWidth="3"
          className="stroke-line"
          {...(rate === undefined && { strokeDasharray: '1.6 2' })}
        />
        {rate !== undefined && rate > 0 && (
          <circle
            cx="10"
            cy="10"
            r={RADIUS}
            fill="none"
            strokeWidth="3"
            strokeDasharray={`${(rate / 100) * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
            transform="rotate(-90 10 10)"
            className="stroke-on transition-[stroke-dasharray] duration-180"
          />
        )}
      </svg>
      <span
        className={cx(
          'tabular-nums',
          isLarge ? 'font-semibold text-section' : 'font-medium text-[11px] text-muted leading-4',
        )}
      >
        {rate === undefined ? '–' : withPercentSign(rate)}
      </span>
    </span>
  );
}

/** Returns the share of yes in whole percent; 0 without calls. */
export function yesRate({ yes, no }: { yes: number; no: number }): number {
  const total = yes + no;
  return total === 0 ? 0 : Math.round((yes / total) * 100);
}
