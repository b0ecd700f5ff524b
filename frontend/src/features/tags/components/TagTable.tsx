import { Link } from 'react-router-dom';
import type { Tag } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { formatTag } from '@/lib/tags';
import { formatTagParam } from '@/lib/toggleFacets';
import { paths } from '@/paths';
import { RowActions } from '@/shared/RowActions';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { ActionColumn, PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';

interface Props {
  tags: readonly Tag[];
  onRemove: (tag: Tag) => void;
}

export function TagTable({ tags, onRemove }: Props) {
  const removeDisabledReason = usePermission('DELETE_TAG');
  return (
    <PlainTable
      label="Tags"
      columns={
        <>
          <ColumnHeader>Value</ColumnHeader>
          <ColumnHeader className="w-1/4">Type</ColumnHeader>
          <ColumnHeader className="w-1/4">Toggles</ColumnHeader>
          <ActionColumn />
        </>
      }
      rows={tags}
    >
      {(tag) => (
        <PlainRow
          key={formatTag(tag)}
          heading={tag.value}
          actions={
            <RowActions
              name={formatTag(tag)}
              removeDisabledReason={removeDisabledReason}
              onRemove={() => onRemove(tag)}
            />
          }
        >
          <PlainCell className="text-muted">{tag.type}</PlainCell>
          <PlainCell>
            <Link
              to={paths.togglesWithTag(formatTagParam(tag))}
              aria-label={`Show toggles tagged ${formatTag(tag)}`}
              className="text-accent hover:underline max-sm:inline-flex max-sm:min-h-touch max-sm:items-center"
            >
              Show toggles
            </Link>
          </PlainCell>
        </PlainRow>
      )}
    </PlainTable>
  );
}
