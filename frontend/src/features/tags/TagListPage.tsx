import type { Tag } from '@/api/generated/types';
import { TogglesWithTags } from '@/domain/tags/TogglesWithTags';
import { formatTag } from '@/domain/tags/tags';
import { formatTagParam } from '@/domain/toggles/toggleFacets';
import { paths, sections } from '@/paths';
import { EntityListPage } from '@/shared/EntityListPage';
import { TextLink } from '@/shared/TextLink';
import { type Column, textColumn } from '@/ui/Column';
import { EmptyState } from '@/ui/EmptyState';
import { TagIcon } from '@/ui/icons';
import { tagResource } from './tags';

const columns: readonly Column<Tag>[] = [
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
        className="max-sm:relative max-sm:after:absolute max-sm:after:-inset-x-2 max-sm:after:-inset-y-3"
      >
        Show toggles
      </TextLink>
    ),
  },
];

export function TagListPage() {
  return (
    <EntityListPage
      resource={tagResource}
      title={sections.tags.label}
      within={sections.tagTypes}
      columns={columns}
      nameOf={formatTag}
      create={{ to: paths.createTag(), permission: 'CREATE_TAG' }}
      remove={{
        permission: 'DELETE_TAG',
        describe: (tag) => ({
          name: formatTag(tag),
          consequences: (
            <>
              will be removed from all toggles that have it. <TogglesWithTags tags={[tag]} />
            </>
          ),
        }),
      }}
      empty={
        <EmptyState icon={<TagIcon size={20} />} title="No tags">
          Tags group related toggles. Create a tag here, or add one on the page of a toggle.
        </EmptyState>
      }
    />
  );
}
