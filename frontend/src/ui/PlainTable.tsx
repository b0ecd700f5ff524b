// Table with rows of variable height. On phones each row is a card.
import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { ColumnHeader } from './ColumnHeader';
import { useIncrementalRows } from './useIncrementalRows';
import { VisuallyHidden } from './VisuallyHidden';

interface Props<Row> {
  /** Accessible name of the table. */
  label: string;
  /** One `ColumnHeader` for each cell of a row. */
  columns: ReactNode;
  rows: readonly Row[];
  /** Renders a `PlainRow`. */
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

/** Header of the column with the row actions. */
export function ActionColumn({ className = 'w-24' }: { className?: string }) {
  return (
    <ColumnHeader className={className}>
      <VisuallyHidden>Actions</VisuallyHidden>
    </ColumnHeader>
  );
}

interface RowProps {
  /** The row's header cell, usually a link. */
  heading: ReactNode;
  /** Icon buttons. */
  actions?: ReactNode;
  /** Number of actions: reserves space beside the heading on phones. */
  actionCount?: keyof typeof HEADING_PADDING;
  /** Cells. */
  children?: ReactNode;
}

const HEADING_PADDING = { 2: 'max-sm:pr-24', 3: 'max-sm:pr-34' };

export function PlainRow({ heading, actions, actionCount = 2, children }: RowProps) {
  return (
    <tr className="not-first:border-line not-first:border-t max-sm:relative max-sm:grid max-sm:gap-y-1 max-sm:p-4 sm:table-row">
      <th
        scope="row"
        className={cx(
          'wrap-anywhere min-w-0 text-left font-semibold sm:py-3 sm:pr-2 sm:pl-4',
          actions !== undefined && cx('max-sm:min-h-8', HEADING_PADDING[actionCount]),
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

/** Table cell. An empty cell is hidden on phones. */
export function PlainCell({ className, children }: { className?: string; children?: ReactNode }) {
  return (
    <td className={cx('wrap-anywhere min-w-0 text-secondary empty:max-sm:hidden sm:px-2 sm:py-3', className)}>
      {children}
    </td>
  );
}
