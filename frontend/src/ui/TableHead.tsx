import { type Column, columnsWithCells } from './Column';
import { VisuallyHidden } from './VisuallyHidden';

interface Props {
  columns: readonly Column<never>[];
  /** Width of the column with the row actions, if there is one. */
  actionsWidth?: string | undefined;
  className: string;
}

/** Header row of a table with rows of variable height. */
export function TableHead({ columns, actionsWidth, className }: Props) {
  return (
    <thead className={className}>
      <tr className="border-line border-b">
        {columnsWithCells(columns).map(({ header, width }) => (
          <th key={header} scope="col" className={HEADER} style={{ width }}>
            {header}
          </th>
        ))}
        {actionsWidth && (
          <th scope="col" className={HEADER} style={{ width: actionsWidth }}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
  );
}

const HEADER = 'px-2 py-2.5 text-left font-semibold text-label text-muted first:pl-4 last:pr-4';
