import { tags } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useDisabledReason } from '@/api/permissions';
import { paths } from '@/paths';
import { RowActions } from '@/shared/RowActions';
import { TextLink } from '@/shared/TextLink';
import { type Column, textColumn } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { PlainTable } from '@/ui/PlainTable';

interface Props {
  types: readonly TagType[];
  onRemove: (type: TagType) => void;
}

export const tagTypeColumns: readonly Column<TagType>[] = [
  textColumn('Name', ({ name }) => name, {
    width: '33.3333%',
    cell: (type) => <Name type={type} />,
    copyHeader: 'Tag type',
    href: ({ name }) => paths.editTagType(name),
  }),
  textColumn('Description', ({ description }) => description, { className: 'text-muted' }),
  { header: 'Tags', width: '7rem', className: 'text-muted', cell: ({ name }) => <TagCount type={name} /> },
];

export function TagTypeTable({ types, onRemove }: Props) {
  const editDisabledReason = useDisabledReason('UPDATE_TAG_TYPE');
  const removeDisabledReason = useDisabledReason('DELETE_TAG_TYPE');
  return (
    <PlainTable
      label="Tag types"
      columns={tagTypeColumns}
      rows={types}
      rowKey={({ name }) => name}
      actions={(type) => (
        <RowActions
          name={type.name}
          edit={{ to: paths.editTagType(type.name), disabledReason: editDisabledReason }}
          removeDisabledReason={removeDisabledReason}
          onRemove={() => onRemove(type)}
        />
      )}
    />
  );
}

function TagCount({ type }: { type: string }) {
  const known = useRead(tags).data?.tags;
  return known && <Count value={known.filter((tag) => tag.type === type).length} noun="tag" />;
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
      <TextLink to={paths.editTagType(name)} className="min-w-0">
        {name}
      </TextLink>
    </span>
  );
}
