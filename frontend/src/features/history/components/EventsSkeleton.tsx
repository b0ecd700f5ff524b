import { cx } from '@/lib/cx';
import { Skeleton } from '@/ui/Skeleton';

const ROWS = [240, 180, 300, 220, 260];

/** Placeholder rows with the height of real rows, so that the layout does not shift. */
export function EventsSkeleton() {
  return (
    <div role="status" aria-label="Loading the history">
      <div className="mb-2 flex h-4.5 items-center max-sm:mb-1">
        <Skeleton width={64} height={12} />
      </div>
      <div className="rounded-card border border-line bg-surface shadow-card">
        {ROWS.map((width, index) => (
          <div key={width} className={cx('grid h-17.5 content-center gap-3 px-4', index > 0 && 'border-line border-t')}>
            <Skeleton width={width} height={12} />
            <Skeleton width={120} height={12} />
          </div>
        ))}
      </div>
    </div>
  );
}
