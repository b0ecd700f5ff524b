import type { ParameterDefinition } from '@/api/generated/types';
import { Chip } from '@/ui/Chip';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';

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
        <PlainTable
          label="Parameters"
          columns={
            <>
              <ColumnHeader className="w-1/4">Name</ColumnHeader>
              <ColumnHeader className="w-28">Type</ColumnHeader>
              <ColumnHeader>Description</ColumnHeader>
              <ColumnHeader className="w-28">Required</ColumnHeader>
            </>
          }
          rows={parameters}
        >
          {({ name, type, description, required }) => (
            <PlainRow key={name} heading={name}>
              <PlainCell>
                <Chip>{type}</Chip>
              </PlainCell>
              <PlainCell className="text-muted">{description}</PlainCell>
              <PlainCell>{required ? 'Required' : <span className="text-muted">Optional</span>}</PlainCell>
            </PlainRow>
          )}
        </PlainTable>
      )}
    </section>
  );
}
