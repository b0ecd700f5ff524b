import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { Card } from './Card';
import { ErrorPanel } from './ErrorPanel';
import { TABLE_BOX } from './PlainTable';
import { Skeleton } from './Skeleton';

interface Props<Item> {
  /** In the plural, such as 'tag types'. */
  noun: string;
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  error: Error | undefined;
  onRetry: () => void;
  /** An `EmptyState` with the next step. */
  empty: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
}

/** Renders the four states of a list: loading, failed, empty, loaded. */
export function ListBody<Item>({ noun, items, error, onRetry, empty, children }: Props<Item>) {
  if (items?.length === 0) return <Card>{empty}</Card>;
  if (items) return children(items);
  if (error) return <ErrorPanel title={`The ${noun} could not be loaded`} error={error} onRetry={onRetry} />;
  return <ListSkeleton label={`Loading ${noun}`} />;
}

const ROWS = [180, 240, 200, 220];

/** Placeholder rows with the height of real rows, so that the layout does not shift. */
function ListSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className={TABLE_BOX}>
      <div className="h-9.5 border-line border-b max-sm:hidden" />
      {ROWS.map((width, index) => (
        <div
          key={width}
          className={cx('grid h-11 content-center px-4 max-sm:h-21', index > 0 && 'border-line border-t')}
        >
          <Skeleton width={width} height={12} />
        </div>
      ))}
    </div>
  );
}
