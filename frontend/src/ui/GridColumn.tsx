// Columns of tables whose rows are CSS grids: the toggle list and the archive.
import type { CSSProperties, ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { type Column, columnsWithCells } from './Column';
import { ChevronDownIcon } from './icons';
import { VisuallyHidden } from './VisuallyHidden';

/** On phones, `className` places the cell in the card or hides it. */
export interface GridColumn<Item, Row = Item> extends Column<Item, Row> {
  /** The cell is the header of its row. */
  isHeading?: boolean;
  hideHeader?: boolean;
  /** Key that the header sorts by. */
  sortKey?: string;
  /** Hides the column in windows between the phone layout and this breakpoint. */
  hiddenBelow?: keyof typeof HIDDEN_BELOW;
  /** Placeholder while the list is loading, for a text of this width. */
  skeleton?: (width: number) => ReactNode;
}

export interface GridLayout<Item, Row> {
  columns: readonly GridColumn<Item, Row>[];
  /** Grid columns of a card on phones. */
  phoneColumns: string;
}

const HIDDEN_BELOW = { md: 'sm:max-md:hidden', lg: 'sm:max-lg:hidden' };

/** Classes of the header and the rows. `gridStyle` of an outer element defines their columns. */
export const GRID_ROW = cx(
  'grid items-center grid-cols-(--columns) md:max-lg:grid-cols-(--columns-lg) sm:max-md:grid-cols-(--columns-md)',
  'max-sm:grid-cols-(--columns-phone) max-sm:content-center max-sm:gap-y-1',
);

export function gridStyle<Item, Row>({ columns, phoneColumns }: GridLayout<Item, Row>): CSSProperties {
  const shown = columnsWithCells(columns);
  const tracks = (part: typeof shown) => part.map(({ width = 'minmax(0,1fr)' }) => width).join(' ');
  const style = {
    '--columns': tracks(shown),
    '--columns-lg': tracks(shown.filter(({ hiddenBelow }) => hiddenBelow !== 'lg')),
    '--columns-md': tracks(shown.filter(({ hiddenBelow }) => hiddenBelow === undefined)),
    '--columns-phone': phoneColumns,
  };
  return style as CSSProperties;
}

/** The sort order of the rows. */
export interface Sorting {
  key: string;
  direction: 'asc' | 'desc';
  onSort: (key: string) => void;
}

interface HeadersProps {
  columns: readonly GridColumn<never, never>[];
  /** Controls to show instead of headers. */
  controls?: Readonly<Record<string, ReactNode>> | undefined;
  sorting?: Sorting | undefined;
  /** False if the headers are invisible, so that no control in them gets the focus. */
  hasControls: boolean;
}

export function GridHeaders({ columns, controls, sorting, hasControls }: HeadersProps) {
  return columnsWithCells(columns).map(({ header, hideHeader, sortKey, hiddenBelow }) => {
    const isSorted = sortKey !== undefined && sortKey === sorting?.key;
    const text = hideHeader ? <VisuallyHidden>{header}</VisuallyHidden> : header;
    return (
      <th
        key={header}
        scope="col"
        aria-sort={isSorted ? `${sorting.direction}ending` : undefined}
        className={cx('text-left font-semibold text-label text-muted', hiddenBelow && HIDDEN_BELOW[hiddenBelow])}
      >
        {sortKey !== undefined && sorting && hasControls ? (
          <button type="button" onClick={() => sorting.onSort(sortKey)} className={cx(SORT, isSorted && 'text-text')}>
            {text}
            <ChevronDownIcon
              size={13}
              strokeWidth={2.25}
              className={cx('-mx-0.5', !isSorted && HINT, isSorted && sorting.direction === 'asc' && 'rotate-180')}
            />
          </button>
        ) : (
          <span className="flex py-2.5">{(hasControls && controls?.[header]) || text}</span>
        )}
      </th>
    );
  });
}

/** The outline is inside, because the table clips it. */
const SORT =
  'group/sort -mx-1.5 flex items-center gap-1 rounded-chip px-1.5 py-2.5 hover:text-text focus-visible:-outline-offset-2 touch:min-h-touch';

/** Shows that a header sorts, while the pointer or the focus is on it. */
const HINT = 'opacity-0 group-hover/sort:opacity-50 group-focus-visible/sort:opacity-50';

interface CellsProps<Row> {
  columns: readonly GridColumn<never, Row>[];
  row: Row;
}

export function GridCells<Row>({ columns, row }: CellsProps<Row>) {
  return columnsWithCells(columns).map(({ header, isHeading, hiddenBelow, className, cell }) => {
    const classes = cx(className, hiddenBelow && HIDDEN_BELOW[hiddenBelow]);
    return isHeading ? (
      <th key={header} scope="row" className={classes}>
        {cell(row)}
      </th>
    ) : (
      <td key={header} className={classes}>
        {cell(row)}
      </td>
    );
  });
}
