// Table of texts, whose rows have different heights. On phones each row is a card.
import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { type Column, columnsWithCells } from './Column';
import { Table } from './Table';

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
const HEADING_PADDING = { '6rem': 'max-sm:pr-24', '8.5rem': 'max-sm:pr-34', '9rem': 'max-sm:pr-28' };

/** Heights of rows with one line of text. */
const ROW_HEIGHT = { wide: 45, narrow: 84 };

export function PlainTable<Row>({ label, columns, rows, rowKey, actions, actionsWidth = '6rem' }: Props<Row>) {
  const [heading, ...others] = columnsWithCells(columns);
  return (
    <Table
      label={label}
      columns={
        actions ? [...columns, { header: 'Actions', hideHeader: true, width: actionsWidth, cell: actions }] : columns
      }
      rows={rows}
      rowKey={rowKey}
      rowHeight={ROW_HEIGHT}
      isMeasured
      look={LOOK}
    >
      {(row) => (
        <>
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
        </>
      )}
    </Table>
  );
}

export const TEXT_HEADER = 'grid grid-cols-(--columns) *:px-2 *:first:pl-4 *:last:pr-4';

/** On phones, the cells after the heading are one text, separated by dots. */
const LOOK = {
  header: TEXT_HEADER,
  row: 'items-center sm:grid sm:grid-cols-(--columns) max-sm:block max-sm:px-4 max-sm:py-2.5',
};

const HEADING =
  'wrap-anywhere min-w-0 text-left font-semibold max-sm:flex max-sm:flex-col max-sm:justify-center sm:py-3 sm:pr-2 sm:pl-4';

const CELL = cx(
  'wrap-anywhere min-w-0 text-secondary empty:max-sm:hidden max-sm:inline sm:px-2 sm:py-3',
  "max-sm:[td:not(:empty)~&:not(:empty)]:before:text-muted max-sm:[td:not(:empty)~&:not(:empty)]:before:content-['_·_'/'']",
);
