import { useCallback } from 'react';
import { ToggleTableSkeleton } from '@/domain/toggles/ToggleTableSkeleton';
import { GridCells, type GridColumn } from '@/ui/GridColumn';
import { NoMatches } from '@/ui/NoMatches';
import { VirtualTable } from '@/ui/VirtualTable';
import { phoneColumns, rowHeight } from './resultColumns';
import type { EvaluatedToggle } from './useEvaluatedToggles';

interface Props {
  /** Filtered rows; undefined until evaluated. */
  rows: readonly EvaluatedToggle[] | undefined;
  columns: readonly GridColumn<EvaluatedToggle>[];
  /** Number of toggles without the filters. */
  total: number;
  /** The rows are those of the previous context. */
  busy: boolean;
  onClearFilters: () => void;
}

/** The toggles with their results, one row each. */
export function ResultTable({ rows, columns, total, busy, onClearFilters }: Props) {
  const layout = { columns, phoneColumns };
  const cells = useCallback((row: EvaluatedToggle) => <GridCells columns={columns} row={row} />, [columns]);
  if (!rows) return <ToggleTableSkeleton {...layout} />;
  if (rows.length === 0) return <NoMatches total={total} onClear={onClearFilters} />;
  return (
    <VirtualTable
      {...layout}
      label="Results"
      rows={rows}
      rowKey={({ toggle }) => toggle.name}
      rowHeight={rowHeight}
      busy={busy}
    >
      {cells}
    </VirtualTable>
  );
}
