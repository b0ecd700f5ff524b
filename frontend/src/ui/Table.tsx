// Table that renders only the visible rows. The page scrolls. Rows have one height, or on phones that of their content.
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { cx } from '@/lib/cx';
import { useRestoreFocus } from '@/lib/restoreFocus';
import { nearClass } from './atHand';
import { GRID_ROW, GridHeaders, type GridLayout, gridStyle, type Sorting } from './GridColumn';
import { useIsNarrow } from './useIsNarrow';
import { focusRow, rowCursorClass, type Step, useRowKeys } from './useRowKeys';

interface Props<Item, Row> extends GridLayout<Item, Row> {
  label: string;
  rows: readonly Item[];
  rowKey: (row: Item) => string;
  /** Controls to show instead of headers. */
  headerControls?: Readonly<Record<string, ReactNode>>;
  sorting?: Sorting;
  /** Renders the cells of one row. With a stable function, only rows that changed render again. */
  children: (row: Item) => ReactNode;
  /** In pixels. */
  rowHeight: { wide: number; narrow: number };
  /** On phones, rows have the height of their content, and `rowHeight` is the estimate for rows that are not rendered. */
  fitsPhoneRows?: boolean;
  busy?: boolean;
  /** Edits an item, with the key e in its row. */
  onEdit?: (row: Item) => void;
}

/** Rows rendered above and below the visible rows, so that Tab always finds the next row. */
const OVERSCAN = 3;

export function Table<Item, Row>(props: Props<Item, Row>) {
  const { label, rows, rowKey, headerControls, sorting, children, columns, busy, rowHeight, onEdit } = props;
  const isNarrow = useIsNarrow();
  const fitsContent = isNarrow && props.fitsPhoneRows === true;
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<string>();
  // Where the cursor continues after the focus has left the rows, for example for the search field.
  const cursor = useRef<{ key: string; index: number }>(undefined);
  // The focused row stays rendered while it is scrolled out of view, to keep the keyboard position.
  const indexOf = (key: string | undefined) => (key === undefined ? -1 : rows.findIndex((row) => rowKey(row) === key));
  const focusedIndex = indexOf(focused);
  const height = isNarrow ? rowHeight.narrow : rowHeight.wide;
  const virtualizer = useVirtualRows(body, { rows, rowKey, height, fitsContent, focusedIndex });
  useRowKeys(body, { move, onEdit: onEdit && editRow });

  /** Moves the cursor, also to a row that is not rendered. A cursor whose item is gone continues at its position. */
  function move(step: Step, from: HTMLElement | undefined): boolean {
    const last = cursor.current;
    const known = indexOf(last?.key);
    const start = known < 0 ? Math.min(last?.index ?? 0, rows.length - 1) : known;
    const next = rows[from ? indexOf(from.dataset['key']) + step : start];
    if (next === undefined) return false;
    flushSync(() => setFocused(rowKey(next)));
    const row = body.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(rowKey(next))}"]`);
    if (row) focusRow(row);
    return true;
  }

  function editRow(element: HTMLElement) {
    const row = rows[indexOf(element.dataset['key'])];
    if (row !== undefined) onEdit?.(row);
  }

  function noteFocus(target: Element) {
    const key = target.closest('tr')?.dataset['key'];
    if (key !== undefined) cursor.current = { key, index: indexOf(key) };
    setFocused(key);
  }

  return (
    <table
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-busy={busy}
      className="block rounded-card border border-line bg-surface shadow-card [overflow:clip]"
      style={gridStyle(props)}
    >
      <thead className="sticky top-below-header z-10 block border-b border-line bg-surface max-sm:sr-only">
        <tr aria-rowindex={1} className={cx(GRID_ROW, nearClass, 'px-3')}>
          <GridHeaders columns={columns} controls={headerControls} sorting={sorting} hasControls={!isNarrow} />
        </tr>
      </thead>
      <tbody
        ref={body}
        className="relative block"
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={(event) => noteFocus(event.target)}
        onBlur={() => setFocused(undefined)}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const key = rowKey(row);
          return (
            <TableRow
              key={key}
              name={key}
              row={row}
              index={item.index}
              top={item.start - virtualizer.options.scrollMargin}
              height={fitsContent ? undefined : item.size}
              measure={fitsContent ? virtualizer.measureElement : undefined}
              draw={children as (row: unknown) => ReactNode}
            />
          );
        })}
      </tbody>
    </table>
  );
}

interface VirtualRowsOptions<Item> extends Pick<Props<Item, never>, 'rows' | 'rowKey'> {
  height: number;
  /** The height of rows is measured; `height` is an estimate. */
  fitsContent: boolean;
  /** -1 if no row has the focus. */
  focusedIndex: number;
}

function useVirtualRows<Item>(body: RefObject<HTMLElement | null>, options: VirtualRowsOptions<Item>) {
  const { rows, rowKey, height, fitsContent, focusedIndex } = options;
  const [top, setTop] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function makes the virtualizer use another height.
  const getItemKey = useCallback(
    (index: number) => {
      const row = rows[index];
      if (row === undefined) return index;
      // Rows keep their measured height by their key, which must not apply in wide windows.
      return fitsContent ? `measured ${rowKey(row)}` : rowKey(row);
    },
    [rows, rowKey, height, fitsContent],
  );
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize: () => height,
    getItemKey,
    overscan: OVERSCAN,
    scrollMargin: top,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), focusedIndex])].filter((at) => at >= 0).sort((a, b) => a - b),
  });
  // After each update, because everything above the rows moves them. The position is known only in the document.
  useLayoutEffect(() => {
    if (body.current) setTop(Math.round(body.current.getBoundingClientRect().top + scrollY));
  });
  return virtualizer;
}

interface RowProps {
  name: string;
  row: unknown;
  index: number;
  /** Position in the body, in pixels. */
  top: number;
  /** Undefined if the row has the height of its content, which `measure` reads. */
  height: number | undefined;
  measure: ((element: HTMLTableRowElement | null) => void) | undefined;
  draw: (row: unknown) => ReactNode;
}

const TableRow = memo(function TableRow({ name, row, index, top, height, measure, draw }: RowProps) {
  const element = useRef<HTMLTableRowElement>(null);
  // Another user can remove a row while it has the focus.
  useRestoreFocus(element);
  // After each render: the virtualizer reads the row from `data-index`, and then observes its size until it is removed.
  useLayoutEffect(() => measure?.(element.current));
  return (
    <tr
      ref={element}
      data-key={name}
      data-index={index}
      aria-rowindex={index + 2}
      className={cx(
        GRID_ROW,
        nearClass,
        'absolute inset-x-0 top-0 border-line px-3 hover:bg-sunken max-sm:pr-1',
        // Below the header of the page and that of the table.
        'scroll-mt-[calc(var(--spacing-below-header)+44px)] max-sm:scroll-mt-(--spacing-below-header)',
        rowCursorClass,
        'has-[[data-select]:checked]:bg-accent-soft',
        index > 0 && 'border-t',
        measure && 'py-3',
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      {draw(row)}
    </tr>
  );
});
