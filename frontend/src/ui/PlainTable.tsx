// Table with rows of variable height. On phones each row is a card.
import { type ReactNode, useRef } from 'react';
import { cx } from '@/lib/cx';
import { useRestoreFocus } from '@/lib/restoreFocus';
import { type Column, columnsWithCells } from './Column';
import { TableHead } from './TableHead';
import { useIncrementalRows } from './useIncrementalRows';
import { rowCursorClass, useRowKeys } from './useRowKeys';

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
  /** Edits an item, with the key e in its row. Default: the edit button of the row. */
  onEdit?: (row: Row) => void;
}

/** Space for the actions beside the heading on phones. */
const HEADING_PADDING = { '6rem': 'max-sm:pr-24', '8.5rem': 'max-sm:pr-34', '9rem': 'max-sm:pr-28' };

export function PlainTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, actions, actionsWidth = '6rem', onEdit } = props;
  const { rendered, placeholder } = useIncrementalRows(rows);
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, {
    onEdit:
      onEdit &&
      ((element) => {
        const row = rendered[[...(body.current?.children ?? [])].indexOf(element)];
        if (row !== undefined) onEdit(row);
      }),
  });
  const [heading, ...others] = columnsWithCells(columns);
  return (
    <div className={TABLE_BOX}>
      <table
        aria-label={label}
        aria-rowcount={placeholder ? rows.length + 1 : undefined}
        className="block w-full sm:table sm:table-fixed"
      >
        <TableHead columns={columns} actionsWidth={actions && actionsWidth} className="max-sm:sr-only" />
        <tbody ref={body} className="block sm:table-row-group">
          {rendered.map((row) => (
            <TableRow key={rowKey(row)}>
              <th scope="row" className={cx(HEADING, actions && cx('max-sm:min-h-11', HEADING_PADDING[actionsWidth]))}>
                {heading?.cell(row)}
              </th>
              {others.map(({ header, className, phoneLabel, cell }) => {
                const content = cell(row);
                return (
                  <td key={header} className={cx(CELL, className)}>
                    {phoneLabel && content && <span className="text-muted sm:hidden">{phoneLabel} </span>}
                    {content}
                  </td>
                );
              })}
              {actions && (
                <td className="max-sm:absolute max-sm:top-2.5 max-sm:right-1.5 sm:py-1.5 sm:pr-3">
                  <span className="flex justify-end max-sm:min-h-11 max-sm:items-center">{actions(row)}</span>
                </td>
              )}
            </TableRow>
          ))}
        </tbody>
      </table>
      {placeholder}
    </div>
  );
}

function TableRow({ children }: { children: ReactNode }) {
  const row = useRef<HTMLTableRowElement>(null);
  // Another user can remove a row while it has the focus.
  useRestoreFocus(row);
  return (
    <tr ref={row} className={cx(ROW, rowCursorClass)}>
      {children}
    </tr>
  );
}

export const TABLE_BOX = 'rounded-card border border-line bg-surface shadow-card';

/**
 * A chip makes its row no higher. On phones, the cells after the heading are beside each other, separated by dots. The dot of the
 * first cell of a line is in the padding, where the row covers it.
 */
const ROW = cx(
  'not-first:border-line not-first:border-t max-sm:relative max-sm:block max-sm:px-4 max-sm:py-2.5 sm:table-row sm:[&_[data-chip]]:-my-px',
  'max-sm:before:absolute max-sm:before:inset-y-2 max-sm:before:left-1 max-sm:before:z-1 max-sm:before:w-3 max-sm:before:bg-surface',
);

const HEADING =
  'wrap-anywhere min-w-0 text-left font-semibold max-sm:flex max-sm:flex-col max-sm:justify-center sm:py-3 sm:pr-2 sm:pl-4';

const CELL = cx(
  'wrap-anywhere min-w-0 text-secondary empty:max-sm:hidden max-sm:relative max-sm:mr-3 max-sm:inline-block max-sm:max-w-full sm:px-2 sm:py-3',
  'max-sm:before:absolute max-sm:before:top-1/2 max-sm:before:-left-2 max-sm:before:-translate-y-1/2 max-sm:before:text-muted',
  "max-sm:[td:not(:empty)~&:not(:empty)]:before:content-['·'/'']",
);
