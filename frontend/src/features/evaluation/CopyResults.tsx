import { toMarkdownTable } from '@/lib/copyFormats';
import { CopyMenu, toAbsoluteUrl } from '@/shared/CopyMenu';
import type { GridColumn } from '@/ui/GridColumn';
import type { EvaluatedToggle } from './useEvaluatedToggles';

interface Props {
  rows: readonly EvaluatedToggle[];
  columns: readonly GridColumn<EvaluatedToggle>[];
}

/** Copies the shown results. */
export function CopyResults({ rows, columns }: Props) {
  return (
    <CopyMenu
      subject="the results"
      json={() => rows.map(({ toggle: { name }, result }) => ({ name, ...result }))}
      calls={[]}
      markdown={() => toMarkdownTable(rows, columns, toAbsoluteUrl)}
    />
  );
}
