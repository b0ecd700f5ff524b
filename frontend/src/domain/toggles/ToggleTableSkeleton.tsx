import { cx } from '@/lib/cx';
import { Skeleton } from '@/ui/Skeleton';
import { toggleColumns } from './ToggleCells';

const WIDTHS = [220, 180, 260, 200, 240, 190, 230, 210];

/** Placeholder rows with the height of real rows, so that the layout does not shift. */
export function ToggleTableSkeleton() {
  return (
    <div role="status" aria-label="Loading toggles" className="rounded-card border border-line bg-surface shadow-card">
      {WIDTHS.map((width, index) => (
        <div
          key={width}
          className={cx(
            'grid h-[56px] items-center border-line px-3 max-sm:h-[88px]',
            index > 0 && 'border-t',
            toggleColumns,
          )}
        >
          <span className="max-sm:hidden">
            <Skeleton width={16} height={16} />
          </span>
          <Skeleton width={32} height={32} />
          <Skeleton width={34} height={20} />
          <div className="grid min-w-0 grid-cols-1 gap-2 max-sm:col-span-3">
            <Skeleton width={Math.min(width, 180)} height={12} />
            <Skeleton width={width} height={10} />
          </div>
        </div>
      ))}
    </div>
  );
}
