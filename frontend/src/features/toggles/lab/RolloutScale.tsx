import { cx } from '@/lib/cx';
import { withPercentSign } from '@/lib/format';

interface Props {
  /** The id, and its place on the scale from 1 to 100. */
  value: string;
  bucket: number;
  /** Percentages of the stored and of the edited strategy. One of them may be missing. */
  saved: number | undefined;
  edited: number | undefined;
}

/** A rollout as a scale from 0 to 100: the percentages, and the place of an id, which gets it if it is in the coloured part. */
export function RolloutScale({ value, bucket, saved, edited }: Props) {
  const limits = [
    saved !== undefined && `saved ${withPercentSign(saved)}`,
    edited !== undefined && edited !== saved && `unsaved ${withPercentSign(edited)}`,
  ].filter(Boolean);
  const current = saved ?? 0;
  const next = edited ?? current;
  return (
    <div role="img" aria-label={`${value} is at ${bucket} of 100; ${limits.join(', ')}`} className="pt-6 pb-5">
      <div className="relative h-2 rounded-full bg-line forced-color-adjust-none">
        <Part from={0} to={Math.min(current, next)} className="rounded-l-full bg-on" />
        <Part from={Math.min(current, next)} to={Math.max(current, next)} className="hatch-dirty" />
        <Label at={0} isEnd>
          0
        </Label>
        {saved !== undefined && isInside(saved) && <Label at={saved}>{saved}</Label>}
        {edited !== undefined && edited !== saved && isInside(edited) && (
          <Label at={edited} className="text-dirty" isBelow={saved !== undefined && Math.abs(edited - saved) < 9}>
            {edited}
          </Label>
        )}
        <Label at={100} isEnd>
          100
        </Label>
        <span
          className="absolute top-1/2 h-[18px] w-[3px] -translate-1/2 rounded-full bg-text"
          style={{ left: `${bucket}%` }}
        />
        <span
          className={cx(
            'absolute bottom-[15px] max-w-full truncate whitespace-nowrap font-semibold text-label',
            toAnchor(bucket),
          )}
          style={bucket > 75 ? { right: `${100 - bucket}%` } : { left: `${bucket}%` }}
        >
          {value} → {bucket}
        </span>
      </div>
    </div>
  );
}

/** Labels near the ends would overlap those of 0 and 100. */
function isInside(percent: number): boolean {
  return percent > 6 && percent < 91;
}

/** The text stays inside the scale. */
function toAnchor(bucket: number): string {
  if (bucket > 75) return 'translate-x-3';
  return bucket < 25 ? '-translate-x-3' : '-translate-x-1/2';
}

function Part({ from, to, className }: { from: number; to: number; className: string }) {
  if (to <= from) return null;
  return <span className={cx('absolute inset-y-0', className)} style={{ left: `${from}%`, width: `${to - from}%` }} />;
}

interface LabelProps {
  at: number;
  isEnd?: boolean;
  /** In a second line, because it would overlap. */
  isBelow?: boolean;
  className?: string;
  children: number | string;
}

function Label({ at, isEnd = false, isBelow = false, className, children }: LabelProps) {
  return (
    <span
      className={cx(
        'absolute font-medium text-[11px] leading-4 tabular-nums',
        isBelow ? 'top-6' : 'top-2.5',
        isEnd ? 'text-faint' : '-translate-x-1/2',
        className ?? 'text-muted',
        isEnd && at === 100 && '-translate-x-full',
      )}
      style={{ left: `${at}%` }}
    >
      {children}
    </span>
  );
}
