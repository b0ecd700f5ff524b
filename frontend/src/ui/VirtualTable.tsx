// A table of any length that holds only the rows in sight: rows of one height, scrolled by the page itself.
import { memo, type ReactNode, useRef, useState, useSyncExternalStore } from 'react';
import { cx } from '@/lib/cx';

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The `<th>` cells. */
  header: ReactNode;
  /** The `<td>` cells of one row. Give a stable function: rows are drawn again when it changes. */
  children: (row: Row) => ReactNode;
  /** Grid columns, for the header and every row alike. */
  columns: string;
  rowHeight: { wide: number; narrow: number };
  busy?: boolean;
}

/** Rows drawn beyond the edges, so that the Tab key always finds a next row to go to. */
const OVERSCAN = 3;

const narrowQuery = typeof matchMedia === 'undefined' ? undefined : matchMedia('(width < 40rem)');

function subscribe(changed: () => void): () => void {
  const events = ['scroll', 'resize'] as const;
  for (const event of events) addEventListener(event, changed, { passive: true });
  narrowQuery?.addEventListener('change', changed);
  return () => {
    for (const event of events) removeEventListener(event, changed);
    narrowQuery?.removeEventListener('change', changed);
  };
}

/** As text, because a store's snapshot is compared by identity: the table is drawn again only when the rows change. */
function visibleRange(body: HTMLElement | null, rowHeight: number): string {
  const top = body?.getBoundingClientRect().top ?? 0;
  const first = Math.max(0, Math.floor(-top / rowHeight) - OVERSCAN);
  const last = Math.max(0, Math.ceil((innerHeight - top) / rowHeight) + OVERSCAN);
  return `${first} ${last}`;
}

function useVisibleRange(height: Props<never>['rowHeight']) {
  const body = useRef<HTMLTableSectionElement>(null);
  const rowHeight = useSyncExternalStore(subscribe, () => (narrowQuery?.matches ? height.narrow : height.wide));
  const range = useSyncExternalStore(subscribe, () => visibleRange(body.current, rowHeight));
  const [first = 0, last = 0] = range.split(' ').map(Number);
  return { body, rowHeight, first, last };
}

export function VirtualTable<Row>(props: Props<Row>) {
  const { label, rows, rowKey, header, children, columns, busy } = props;
  const { body, rowHeight, first, last } = useVisibleRange(props.rowHeight);
  const [focused, setFocused] = useState<string>();

  const indexes = Array.from({ length: Math.max(0, Math.min(last, rows.length) - first) }, (_, at) => first + at);
  // The focused row stays while it is scrolled out of sight: the keyboard must not lose its place.
  const focusedIndex = focused === undefined ? -1 : rows.findIndex((row) => rowKey(row) === focused);
  if (focusedIndex >= 0 && (focusedIndex < first || focusedIndex >= last)) indexes.push(focusedIndex);

  return (
    <table
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-busy={busy}
      className="block rounded-card border border-line bg-surface shadow-card [overflow:clip]"
    >
      <thead className="sticky top-below-header z-10 block border-b border-line bg-surface max-sm:sr-only">
        <tr aria-rowindex={1} className={cx('grid items-center px-3', columns)}>
          {header}
        </tr>
      </thead>
      <tbody
        ref={body}
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
              columns={columns}
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
  columns: string;
  draw: (row: unknown) => ReactNode;
}

const VirtualRow = memo(function VirtualRow({ name, row, index, height, columns, draw }: RowProps) {
  return (
    <tr
      aria-rowindex={index + 2}
      data-key={name}
      className={cx(
        'absolute inset-x-0 top-0 grid items-center border-line px-3 hover:bg-sunken max-sm:pr-1',
        'has-[[data-select]:checked]:bg-accent-soft',
        index > 0 && 'border-t',
        columns,
      )}
      style={{ height, transform: `translateY(${index * height}px)` }}
    >
      {draw(row)}
    </tr>
  );
});
