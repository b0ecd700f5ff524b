import { Skeleton } from '@/ui/Skeleton';

/** As many as come with the service. */
const ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

export function StrategyTableSkeleton() {
  return (
    <div className="rounded-card border border-line bg-surface shadow-card">
      {ROWS.map((row) => (
        <div key={row} className="not-first:border-line not-first:border-t grid gap-2.5 px-4 py-3.5">
          <Skeleton width={160} />
          <Skeleton width={320} height={12} />
        </div>
      ))}
    </div>
  );
}
