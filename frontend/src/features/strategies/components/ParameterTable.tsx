import type { ParameterDefinition } from '@/api/generated/types';
import { Chip } from '@/ui/Chip';
import type { Column } from '@/ui/Column';
import { PlainTable } from '@/ui/PlainTable';

const columns: readonly Column<ParameterDefinition>[] = [
  { header: 'Name', width: '25%', cell: ({ name }) => name },
  { header: 'Type', width: '7rem', cell: ({ type }) => <Chip>{type}</Chip> },
  { header: 'Description', className: 'text-muted', cell: ({ description }) => description },
  {
    header: 'Required',
    width: '7rem',
    cell: ({ required }) => (required ? 'Required' : <span className="text-muted">Optional</span>),
  },
];

export function ParameterTable({ parameters }: { parameters: readonly ParameterDefinition[] }) {
  return (
    <section aria-labelledby="parameters-heading" className="grid gap-3">
      <h2 id="parameters-heading" className="font-semibold">
        Parameters
      </h2>
      {parameters.length === 0 ? (
        <p className="rounded-card border border-line-strong border-dashed px-4 py-3 text-muted text-secondary">
          This strategy has no parameters.
        </p>
      ) : (
        <PlainTable label="Parameters" columns={columns} rows={parameters} rowKey={({ name }) => name} />
      )}
    </section>
  );
}
