import { withPercentSign } from '@/lib/format';

const RADIUS = 14;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

interface YesRateRingProps {
  /** Undefined without evaluations, which differs from a rate of 0 %. */
  counts: { yes: number; no: number } | undefined;
}

/** Ring with the percentage of evaluations that returned yes. */
export function YesRateRing({ counts }: YesRateRingProps) {
  const rate = counts && yesRate(counts);
  return (
    <svg
      viewBox="0 0 32 32"
      role="img"
      aria-label={rate === undefined ? 'No data' : `${withPercentSign(rate)} yes`}
      className="size-8"
    >
      <circle
        cx="16"
        cy="16"
        r={RADIUS}
        fill="none"
        strokeWidth="3.5"
        className="stroke-line"
        {...(rate === undefined && { strokeDasharray: '1.9 2.5' })}
      />
      {rate !== undefined && rate > 0 && (
        <circle
          cx="16"
          cy="16"
          r={RADIUS}
          fill="none"
          strokeWidth="3.5"
          strokeLinecap={rate === 100 ? 'butt' : 'round'}
          strokeDasharray={`${(rate / 100) * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
          transform="rotate(-90 16 16)"
          className="stroke-on transition-[stroke-dasharray] duration-180"
        />
      )}
      <text x="16" y="19" textAnchor="middle" fontSize={rate === 100 ? 8 : 9} className="fill-text font-bold">
        {rate === undefined ? '–' : `${rate}%`}
      </text>
    </svg>
  );
}

/** Returns the share of yes in whole percent; 0 without calls. */
export function yesRate({ yes, no }: { yes: number; no: number }): number {
  const total = yes + no;
  return total === 0 ? 0 : Math.round((yes / total) * 100);
}
