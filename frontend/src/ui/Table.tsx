// Table whose rows are CSS grids. A long table renders only the visible rows, and the page scrolls.
import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { memo, type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { cx } from '@/lib/cx';
import { createUserStore } from '@/lib/store';
import { useRestoreFocus } from '@/lib/restoreFocus';
import { GRID_ROW, GridHeaders, type GridLayout, gridStyle, type Sorting } from './GridColumn';
import { useIsNarrow } from './useIsNarrow';

interface Props<Item, Row> extends GridLayout<Item, Row> {
  label: string;
  rows: readonly Item[];
  rowKey: (row: Item) => string | number;
  /** Controls to show instead of headers. */
  headerControls?: Readonly<Record<string, ReactNode>>;
  sorting?: Sorting;
  /** Renders the cells of one row. With a stable function, only rows that changed render again. */
  children: (row: Item) => ReactNode;
  /** In pixels. */
  rowHeight: { wide: number; narrow: number };
  /** The rows have different heights, for which `rowHeight` is an estimate. A short table then renders all rows. */
  isMeasured?: boolean;
  /** Classes of the header row and the other rows. */
  look?: { header: string; row: string };
  busy?: boolean;
}

/** Rows rendered above and below the visible rows, so that Tab always finds the next row. */
const OVERSCAN = 3;

/** Rows of a table with measured rows that are all rendered: the find command of the browser finds their texts. */
const MAX_RENDERED = 60;

const ONE_LINE = {
  header: cx(GRID_ROW, 'px-3'),
  row: cx(GRID_ROW, 'px-3 hover:bg-sunken max-sm:pr-1 has-[[data-select]:checked]:bg-accent-soft'),
};

/** Measured rows of the tables that were on a page, by label: Back restores the scroll position before rows are measured. */
const measuredRows = createUserStore<ReadonlyMap<string, VirtualItem[]>>(new Map());

/** A row; without `start`, all rows are rendered. */
type Placed = Pick<VirtualItem, 'index'> & Partial<VirtualItem>;

export function Table<Item, Row>(props: Props<Item, Row>) {
  const { label, rows, rowKey, headerControls, sorting, children, columns, busy, isMeasured, look = ONE_LINE } = props;
  const isNarrow = useIsNarrow();
  const isVirtual = !isMeasured || rows.length > MAX_RENDERED;
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<string>();
  // The focused row stays rendered while it is scrolled out of view, to keep the keyboard position.
  const focusedIndex = focused === undefined ? -1 : rows.findIndex((row) => String(rowKey(row)) === focused);
  const height = isNarrow ? props.rowHeight.narrow : props.rowHeight.wide;
  const virtualizer = useVirtualRows(body, { label, rows, rowKey, height, focusedIndex, enabled: isVirtual });
  const shown: readonly Placed[] = isVirtual ? virtualizer.getVirtualItems() : rows.map((_, index) => ({ index }));
  return (
    <table
      aria-label={label}
      aria-rowcount={isVirtual ? rows.length + 1 : undefined}
      aria-busy={busy}
      className="block rounded-card border border-line bg-surface shadow-card [overflow:clip]"
      style={gridStyle(props)}
    >
      <thead className="sticky top-below-header z-10 block border-b border-line bg-surface max-sm:sr-only">
        <tr aria-rowindex={isVirtual ? 1 : undefined} className={look.header}>
          <GridHeaders columns={columns} controls={headerControls} sorting={sorting} hasControls={!isNarrow} />
        </tr>
      </thead>
      <tbody
        ref={body}
        className="relative block"
        style={isVirtual ? { height: virtualizer.getTotalSize() } : undefined}
        onFocus={(event) => setFocused(event.target.closest('tr')?.dataset['key'])}
        onBlur={() => setFocused(undefined)}
      >
        {shown.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const key = String(rowKey(row));
          return (
            <TableRow
              key={key}
              name={key}
              row={row}
              index={item.index}
              top={item.start === undefined ? undefined : item.start - virtualizer.options.scrollMargin}
              height={isMeasured ? undefined : item.size}
              measure={isMeasured && isVirtual ? virtualizer.measureElement : undefined}
              className={look.row}
              draw={children as (row: unknown) => ReactNode}
            />
          );
        })}
      </tbody>
    </table>
  );
}

interface VirtualRowsOptions<Item> extends Pick<Props<Item, never>, 'label' | 'rows' | 'rowKey'> {
  height: number;
  /** -1 if no row has the focus. */
  focusedIndex: number;
  enabled: boolean;
}

function useVirtualRows<Item>(body: RefObject<HTMLElement | null>, options: VirtualRowsOptions<Item>) {
  const { label, rows, rowKey, height, focusedIndex, enabled } = options;
  const [top, setTop] = useState(0);
  const [measured] = useState(() => measuredRows.get().get(label) ?? []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function makes the virtualizer use another height.
  const getItemKey = useCallback(
    (index: number) => {
      const row = rows[index];
      return row === undefined ? index : String(rowKey(row));
    },
    [rows, rowKey, height],
  );
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    enabled,
    count: rows.length,
    estimateSize: () => height,
    getItemKey,
    overscan: OVERSCAN,
    scrollMargin: top,
    initialMeasurementsCache: measured,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), focusedIndex])].filter((at) => at >= 0).sort((a, b) => a - b),
  });
  // After each update, because everything above the rows moves them. The position is known only in the document.
  useLayoutEffect(() => {
    if (body.current) setTop(Math.round(body.current.getBoundingClientRect().top + scrollY));
  });
  // An effect, because the sizes are complete only when the user leaves the page.
  useLayoutEffect(
    () => () => measuredRows.set(new Map(measuredRows.get()).set(label, virtualizer.takeSnapshot())),
    [virtualizer, label],
  );
  return virtualizer;
}

interface RowProps {
  name: string;
  row: unknown;
  index: number;
  /** Position in the body. Undefined if all rows are rendered. */
  top: number | undefined;
  /** Undefined if the row is as high as its content. */
  height: number | undefined;
  measure: ((element: HTMLTableRowElement | null) => void) | undefined;
  className: string;
  draw: (row: unknown) => ReactNode;
}

const TableRow = memo(function TableRow({ name, row, index, top, height, measure, className, draw }: RowProps) {
  const element = useRef<HTMLTableRowElement>(null);
  // Another user can remove a row while it has the focus.
  useRestoreFocus(element);
  // A layout effect: the rows below must have their position when the browser paints.
  useLayoutEffect(() => measure?.(element.current), [measure]);
  return (
    <tr
      ref={element}
      data-index={index}
      data-key={name}
      aria-rowindex={top === undefined ? undefined : index + 2}
      className={cx(
        top === undefined ? 'relative' : 'absolute inset-x-0 top-0',
        'border-line',
        index > 0 && 'border-t',
        className,
      )}
      style={top === undefined ? undefined : { height, transform: `translateY(${top}px)` }}
    >
      {draw(row)}
    </tr>
  );
});
