import { Link } from 'react-router-dom';
import { tags } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { usePermission } from '@/api/permissions';
import { formatCount } from '@/lib/formatCount';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { RowActions } from '@/shared/RowActions';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { ActionColumn, PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';

interface Props {
  types: readonly TagType[];
  onRemove: (type: TagType) => void;
}

export function TagTypeTable({ types, onRemove }: Props) {
  const locale = useLocale();
  const known = useRead(tags).data?.tags;
  const editDisabledReason = usePermission('UPDATE_TAG_TYPE');
  const removeDisabledReason = usePermission('DELETE_TAG_TYPE');
  return (
    <PlainTable
      label="Tag types"
      columns={
        <>
          <ColumnHeader className="w-1/3">Name</ColumnHeader>
          <ColumnHeader>Description</ColumnHeader>
          <ColumnHeader className="w-28">Tags</ColumnHeader>
          <ActionColumn />
        </>
      }
      rows={types}
    >
      {(type) => (
        <PlainRow
          key={type.name}
          heading={<Name type={type} />}
          actions={
            <RowActions
              name={type.name}
              edit={{ to: paths.editTagType(type.name), disabledReason: editDisabledReason }}
              removeDisabledReason={removeDisabledReason}
              onRemove={() => onRemove(type)}
            />
          }
        >
          <PlainCell className="text-muted">{type.description}</PlainCell>
          <PlainCell className="text-muted">
            {known && formatCount(known.filter((tag) => tag.type === type.name).length, 'tag', locale)}
          </PlainCell>
        </PlainRow>
      )}
    </PlainTable>
  );
}

function Name({ type: { name, icon } }: { type: TagType }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <span
        aria-hidden="true"
        className="flex size-6 shrink-0 items-center justify-center overflow-hidden rounded-chip bg-sunken font-semibold text-label text-muted"
      >
        {/* The icon may be any text: show its first character. */}
        {[...(icon?.trim() || name)][0]}
      </span>
      <Link to={paths.editTagType(name)} className="min-w-0 hover:text-accent hover:underline">
        {name}
      </Link>
    </span>
  );
}
