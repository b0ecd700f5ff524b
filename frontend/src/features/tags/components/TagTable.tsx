import type { Tag } from '@/api/generated/types';
import { useDisabledReason } from '@/api/permissions';
import { formatTag } from '@/lib/tags';
import { formatTagParam } from '@/lib/toggleFacets';
import { paths } from '@/paths';
import { RowActions } from '@/shared/RowActions';
import { TextLink } from '@/shared/TextLink';
import { type Column, textColumn } from '@/ui/Column';
import { PlainTable } from '@/ui/PlainTable';

interface Props {
  tags: readonly Tag[];
  onRemove: (tag: Tag) => void;
}

export const tagColumns: readonly Column<Tag>[] = [
  // Copied tables start with the type, as tags such as `team:checkout` do.
  { header: 'Type', copy: ({ type }) => type },
  textColumn('Value', ({ value }) => value),
  { header: 'Type', width: '25%', className: 'text-muted', cell: ({ type }) => type, search: ({ type }) => type },
  {
    header: 'Toggles',
    width: '25%',
    cell: (tag) => (
      <TextLink
        to={paths.togglesWithTag(formatTagParam(tag))}
        aria-label={`Show toggles tagged ${formatTag(tag)}`}
        tone="accent"
        className="max-sm:inline-flex max-sm:min-h-touch max-sm:items-center"
      >
        Show toggles
      </TextLink>
    ),
  },
];

export function TagTable({ tags, onRemove }: Props) {
  const removeDisabledReason = useDisabledReason('DELETE_TAG');
  return (
    <PlainTable
      label="Tags"
      columns={tagColumns}
      rows={tags}
      rowKey={formatTag}
      actions={(tag) => (
        <RowActions name={formatTag(tag)} removeDisabledReason={removeDisabledReason} onRemove={() => onRemove(tag)} />
      )}
    />
  );
}
