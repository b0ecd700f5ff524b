// Virtual table: renders only the visible rows. All rows have the same height, and the page scrolls.
import { memo, type ReactNode, useState, useSyncExternalStore } from 'react';
import { cx } from '@/lib/cx';
import { GRID_ROW, GridHeaders, type GridLayout, gridStyle, type Sorting } from './GridColumn';
import { useIsNarrow } from './useIsNarrow';

interface Props<Item, Row> extends GridLayout<Item, Row> {
  label: string;
  rows: readonly Item[];
  rowKey: (row: Item) => string;
  /** Controls to show instead of headers. */
  headerControls?: Readonly<Record<string, ReactNode>>;
  sorting?: Sorting;
  /** Renders the `GridCells` of one row. Must be a stable function: rows render again when it changes. */
  children: (row: Item) => ReactNode;
  rowHeight: { wide: number; narrow: number };
  busy?: boolean;
}

/** Rows rendered above and below the visible rows, so that Tab always finds the next row. */
const OVERSCAN = 3;

function subscribe(changed: () => void): () => void {
  const events = ['scroll', 'resize'] as const;
  for (const event of events) addEventListener(event, changed, { passive: true });
  return () => {
    for (const event of events) removeEventListener(event, changed);
  };
}

/** Returns the range as text, because store snapshots are compared by identity. */
function visibleRange(body: HTMLElement | null, rowHeight: number): string {
  const top = body?.getBoundingClientRect().top ?? 0;
  const first = Math.max(0, Math.floor(-top / rowHeight) - OVERSCAN);
  const last = Math.max(0, Math.ceil((innerHeight - top) / rowHeight) + OVERSCAN);
  return `${first} ${last}`;
}

function useVisibleRange(rowHeight: number) {
  const [body, setBody] = useState<HTMLElement | null>(null);
  const range = useSyncExternalStore(subscribe, () => visibleRange(body, rowHeight));
  const [first = 0, last = 0] = range.split(' ').map(Number);
  return { setBody, first, last };
}

export function VirtualTable<Item, Row>(props: Props<Item, Row>) {
  const { label, rows, rowKey, headerControls, sorting, children, columns, busy } = props;
  const isNarrow = useIsNarrow();
  const rowHeight = isNarrow ? props.rowHeight.narrow : props.rowHeight.wide;
  const { setBody, first, last } = useVisibleRange(rowHeight);
  const [focused, setFocused] = useState<string>();

  const indexes = Array.from({ length: Math.max(0, Math.min(last, rows.length) - first) }, (_, at) => first + at);
  // The focused row stays rendered while it is scrolled out of view, to keep the keyboard position.
  const focusedIndex = focused === undefined ? -1 : rows.findIndex((row) => rowKey(row) === focused);
  if (focusedIndex >= 0 && (focusedIndex < first || focusedIndex >= last)) indexes.push(focusedIndex);

  return (
    <table
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-busy={busy}
      className="block rounded-card border border-line bg-surface shadow-card [overflow:clip]"
      style={gridStyle(props)}
    >
      <thead className="sticky top-below-header z-10 block border-b border-line bg-surface max-sm:sr-only">
        <tr aria-rowindex={1} className={cx(GRID_ROW, 'px-3')}>
          <GridHeaders columns={columns} controls={headerControls} sorting={sorting} hasControls={!isNarrow} />
        </tr>
      </thead>
      <tbody
        ref={setBody}
        className="relative block"
        style={{ height: rows.length * rowHeight }}
        onFocus={(event) => setFocused(event.target.closest('tr')?.dataset['key'])}
        onBlur={() => setFocused(undefined)}
      >
        {indexes.map((index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <VirtualRow
              key={rowKey(row)}
              name={rowKey(row)}
              row={row}
              index={index}
              height={rowHeight}
              draw={children as (row: unknown) => ReactNode}
            />
          );
        })}
      </tbody>
    </table>
  );
}

interface RowProps {
  name: string;
  row: unknown;
  index: number;
  height: number;
  draw: (row: unknown) => ReactNode;
}

const VirtualRow = memo(function VirtualRow({ name, row, index, height, draw }: RowProps) {
  return (
    <tr
      aria-rowindex={index + 2}
      data-key={name}
      className={cx(
        GRID_ROW,
        'absolute inset-x-0 top-0 border-line px-3 hover:bg-sunken max-sm:pr-1',
        'has-[[data-select]:checked]:bg-accent-soft',
        index > 0 && 'border-t',
      )}
      style={{ height, transform: `translateY(${index * height}px)` }}
    >
      {draw(row)}
    </tr>
  );
});
