// Table with rows of variable height. On phones each row is a card.
import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { type Column, columnsWithCells } from './Column';
import { TableHead } from './TableHead';
import { useIncrementalRows } from './useIncrementalRows';

interface Props<Row> {
  /** Accessible name of the table. */
  label: string;
  /** The first column is the header of its row, usually a link. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Buttons at the end of a row. */
  actions?: (row: Row) => ReactNode;
  actionsWidth?: keyof typeof HEADING_PADDING;
}

/** Space for the actions beside the heading on phones. */
const HEADING_PADDING = { '6rem': 'max-sm:pr-24', '8.5rem': 'max-sm:pr-34', '9rem': 'max-sm:pr-24' };

export function PlainTable<Row>({ label, columns, rows, rowKey, actions, actionsWidth = '6rem' }: Props<Row>) {
  const { rendered, placeholder } = useIncrementalRows(rows);
  const [heading, ...others] = columnsWithCells(columns);
  return (
    <div className={TABLE_BOX}>
      <table
        aria-label={label}
        aria-rowcount={placeholder ? rows.length + 1 : undefined}
        className="block w-full sm:table sm:table-fixed"
      >
        <TableHead columns={columns} actionsWidth={actions && actionsWidth} className="max-sm:sr-only" />
        <tbody className="block sm:table-row-group">
          {rendered.map((row) => (
            <tr key={rowKey(row)} className={ROW}>
              <th scope="row" className={cx(HEADING, actions && cx('max-sm:min-h-8', HEADING_PADDING[actionsWidth]))}>
                {heading?.cell(row)}
              </th>
              {others.map((column) => (
                <td key={column.header} className={cx(CELL, column.className)}>
                  {column.phoneLabel && <span className="text-muted sm:hidden">{column.phoneLabel} </span>}
                  {column.cell(row)}
                </td>
              ))}
              {actions && (
                <td className="max-sm:absolute max-sm:top-1 max-sm:right-1 sm:py-1.5 sm:pr-3">
                  <span className="flex justify-end">{actions(row)}</span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {placeholder}
    </div>
  );
}

export const TABLE_BOX = 'rounded-card border border-line bg-surface shadow-card';

const ROW =
  'not-first:border-line not-first:border-t max-sm:relative max-sm:grid max-sm:gap-y-1 max-sm:p-4 sm:table-row';

const HEADING = 'wrap-anywhere min-w-0 text-left font-semibold sm:py-3 sm:pr-2 sm:pl-4';

/** An empty cell is hidden on phones. */
const CELL = 'wrap-anywhere min-w-0 text-secondary empty:max-sm:hidden sm:px-2 sm:py-3';
