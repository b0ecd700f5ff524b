// Tables of rows that are as high as what they say. On phones each row is a card.
import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { ColumnHeader } from './ColumnHeader';
import { useIncrementalRows } from './useIncrementalRows';
import { VisuallyHidden } from './VisuallyHidden';

interface Props<Row> {
  /** What is listed, for those who hear the page. */
  label: string;
  /** One `Column` for each cell of a row. */
  columns: ReactNode;
  rows: readonly Row[];
  /** The `PlainRow` of one. */
  children: (row: Row) => ReactNode;
}

export function PlainTable<Row>({ label, columns, rows, children }: Props<Row>) {
  const { rendered, placeholder } = useIncrementalRows(rows);
  return (
    <div className={TABLE_BOX}>
      <table
        aria-label={label}
        aria-rowcount={placeholder ? rows.length + 1 : undefined}
        className="block w-full sm:table sm:table-fixed"
      >
        <thead className="max-sm:sr-only">
          <tr className="border-line border-b">{columns}</tr>
        </thead>
        <tbody className="block sm:table-row-group">{rendered.map(children)}</tbody>
      </table>
      {placeholder}
    </div>
  );
}

export const TABLE_BOX = 'rounded-card border border-line bg-surface shadow-card';

/** Above the actions at the end of each row. */
export function ActionColumn({ className = 'w-24' }: { className?: string }) {
  return (
    <ColumnHeader className={className}>
      <VisuallyHidden>Actions</VisuallyHidden>
    </ColumnHeader>
  );
}

interface RowProps {
  /** What tells the row from others, mostly a link to it. */
  heading: ReactNode;
  /** Icon buttons. */
  actions?: ReactNode;
  /** How many they are, so that the heading keeps clear of them on phones. */
  actionCount?: keyof typeof ROOM;
  /** Cells. */
  children?: ReactNode;
}

const ROOM = { 2: 'max-sm:pr-24', 3: 'max-sm:pr-34' };

export function PlainRow({ heading, actions, actionCount = 2, children }: RowProps) {
  return (
    <tr className="not-first:border-line not-first:border-t max-sm:relative max-sm:grid max-sm:gap-y-1 max-sm:p-4 sm:table-row">
      <th
        scope="row"
        className={cx(
          'wrap-anywhere min-w-0 text-left font-semibold sm:py-3 sm:pr-2 sm:pl-4',
          actions !== undefined && cx('max-sm:min-h-8', ROOM[actionCount]),
        )}
      >
        {heading}
      </th>
      {children}
      {actions !== undefined && (
        <td className="max-sm:absolute max-sm:top-1 max-sm:right-1 sm:py-1.5 sm:pr-3">
          <span className="flex justify-end">{actions}</span>
        </td>
      )}
    </tr>
  );
}

/** Without children it takes no room on phones. */
export function PlainCell({ className, children }: { className?: string; children?: ReactNode }) {
  return (
    <td className={cx('wrap-anywhere min-w-0 text-secondary empty:max-sm:hidden sm:px-2 sm:py-3', className)}>
      {children}
    </td>
  );
}
