import { Fragment } from 'react';
import { cx } from '@/lib/cx';
import { GRID_ROW, type GridLayout, gridStyle } from '@/ui/GridColumn';

const WIDTHS = [220, 180, 260, 200, 240, 190, 230, 210];

/** Placeholder rows with the height of real rows, so that the layout does not shift. */
export function ToggleTableSkeleton<Item, Row>(layout: GridLayout<Item, Row>) {
  return (
    <div
      role="status"
      aria-label="Loading toggles"
      className="rounded-card border border-line bg-surface shadow-card"
      style={gridStyle(layout)}
    >
      {WIDTHS.map((width, index) => (
        <div key={width} className={cx(GRID_ROW, 'h-[56px] border-line px-3 max-sm:h-[88px]', index > 0 && 'border-t')}>
          {layout.columns.map(({ header, skeleton }) => (
            <Fragment key={header}>{skeleton?.(width)}</Fragment>
          ))}
        </div>
      ))}
    </div>
  );
}
