import { cx } from '@/lib/cx';
import { Skeleton } from '@/ui/Skeleton';

const ROWS = [240, 180, 300, 220, 260];

/** Placeholder rows with the height of real rows, so that the layout does not shift. */
export function EventsSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading the history"
      className="rounded-card border border-line bg-surface shadow-card"
    >
      <div className="h-9.5 border-line border-b max-lg:hidden" />
      {ROWS.map((width, index) => (
        <div key={width} className={cx('flex h-29 gap-8 p-4', index > 0 && 'border-line border-t')}>
          <Skeleton width={96} height={12} />
          <Skeleton width={120} height={12} />
          <span className="max-lg:hidden">
            <Skeleton width={width} height={12} />
          </span>
        </div>
      ))}
    </div>
  );
}
