import { Link } from 'react-router-dom';
import type { ContextField } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { paths } from '@/paths';
import { RowActions } from '@/shared/RowActions';
import { Chip } from '@/ui/Chip';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { ActionColumn, PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';
import { builtInFields } from '../rules';

interface Props {
  fields: readonly ContextField[];
  onRemove: (field: ContextField) => void;
}

export function ContextFieldTable({ fields, onRemove }: Props) {
  const editDisabledReason = usePermission('UPDATE_CONTEXT_FIELD');
  const removeDisabledReason = usePermission('DELETE_CONTEXT_FIELD');
  return (
    <PlainTable
      label="Context fields"
      columns={
        <>
          <ColumnHeader className="w-1/4">Name</ColumnHeader>
          <ColumnHeader>Description</ColumnHeader>
          <ColumnHeader className="w-1/4">Legal values</ColumnHeader>
          <ColumnHeader className="w-24">Stickiness</ColumnHeader>
          <ActionColumn />
        </>
      }
      rows={fields}
    >
      {(field) => (
        <PlainRow
          key={field.name}
          heading={<Name name={field.name} />}
          actions={
            <RowActions
              name={field.name}
              edit={{ to: paths.editContextField(field.name), disabledReason: editDisabledReason }}
              removeDisabledReason={removeDisabledReason}
              onRemove={() => onRemove(field)}
            />
          }
        >
          <PlainCell className="text-muted">{field.description}</PlainCell>
          <PlainCell className="text-muted">
            {field.legalValues && field.legalValues.length > 0 && (
              <span className="line-clamp-2">{field.legalValues.join(' · ')}</span>
            )}
          </PlainCell>
          <PlainCell>{field.stickiness && <Chip tone="accent">Sticky</Chip>}</PlainCell>
        </PlainRow>
      )}
    </PlainTable>
  );
}

function Name({ name }: { name: string }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
      <Link to={paths.editContextField(name)} className="min-w-0 hover:text-accent hover:underline">
        {name}
      </Link>
      {builtInFields.includes(name) && <Chip>Built-in</Chip>}
    </span>
  );
}
