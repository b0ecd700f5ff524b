// Definition of a table column. One object defines the header, the cells and the searched text.
import type { ReactNode } from 'react';
import type { ListColumn, Text } from '@/lib/listColumn';

/** `Row` is the item, or the item with the state of its row. */
export interface Column<Item, Row = Item> extends ListColumn<Item> {
  /** Content of the cell. Columns without it are only searched. */
  cell?: (row: Row) => ReactNode;
  /** CSS width; columns without one share the rest. */
  width?: string;
  /** Classes of the cell. */
  className?: string;
  /** Text before the content on phones, where headers are hidden. */
  phoneLabel?: string;
}

/** Columns that have cells. */
export function columnsWithCells<C extends { cell?: unknown }>(columns: readonly C[]) {
  return columns.filter((column): column is C & { cell: NonNullable<C['cell']> } => column.cell !== undefined);
}

/** Column whose cell and searched text are the same text, unless `rest` replaces one. */
export function textColumn<Item>(
  header: string,
  text: (item: Item) => Text,
  rest: Partial<Column<Item>> = {},
): Column<Item> {
  return { header, cell: text, search: text, ...rest };
}
