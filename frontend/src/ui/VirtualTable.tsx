// Virtual table: renders only the visible rows. All rows have the same height, and the page scrolls.
import { memo, type ReactNode, useState, useSyncExternalStore } from 'react';
import { cx } from '@/lib/cx';

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The `<th>` cells. */
  header: ReactNode;
  /** Renders the `<td>` cells of one row. Must be a stable function: rows render again when it changes. */
  children: (row: Row) => ReactNode;
  /** Grid columns of the header and the rows. */
  columns: string;
  rowHeight: { wide: number; narrow: number };
  busy?: boolean;
}

/** Rows rendered above and below the visible rows, so that Tab always finds the next row. */
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

/** Returns the range as text, because store snapshots are compared by identity. */
function visibleRange(body: HTMLElement | null, rowHeight: number): string {
  const top = body?.getBoundingClientRect().top ?? 0;
  const first = Math.max(0, Math.floor(-top / rowHeight) - OVERSCAN);
  const last = Math.max(0, Math.ceil((innerHeight - top) / rowHeight) + OVERSCAN);
  return `${first} ${last}`;
}

function useVisibleRange(height: Props<never>['rowHeight']) {
  const [body, setBody] = useState<HTMLElement | null>(null);
  const rowHeight = useSyncExternalStore(subscribe, () => (narrowQuery?.matches ? height.narrow : height.wide));
  const range = useSyncExternalStore(subscribe, () => visibleRange(body, rowHeight));
  const [first = 0, last = 0] = range.split(' ').map(Number);
  return { setBody, rowHeight, first, last };
}

export function VirtualTable<Row>(props: Props<Row>) {
  const { label, rows, rowKey, header, children, columns, busy } = props;
  const { setBody, rowHeight, first, last } = useVisibleRange(props.rowHeight);
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
    >
      <thead className="sticky top-below-header z-10 block border-b border-line bg-surface max-sm:sr-only">
        <tr aria-rowindex={1} className={cx('grid items-center px-3', columns)}>
          {header}
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
