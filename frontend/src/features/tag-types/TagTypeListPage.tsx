import { tags } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { TogglesWithTags } from '@/domain/tags/TogglesWithTags';
import { paths, sections } from '@/paths';
import { EntityListPage } from '@/shared/EntityListPage';
import { TextLink } from '@/shared/TextLink';
import { type Column, textColumn } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { EmptyState } from '@/ui/EmptyState';
import { TagTypeIcon } from '@/ui/icons';
import { tagTypeResource } from './tagTypes';

const columns: readonly Column<TagType>[] = [
  textColumn('Name', ({ name }) => name, {
    width: '33.3333%',
    cell: (type) => <Name type={type} />,
  }),
  textColumn('Description', ({ description }) => description, { className: 'text-muted' }),
  { header: 'Tags', width: '7rem', className: 'text-muted', cell: ({ name }) => <TagCount type={name} /> },
];

export function TagTypeListPage() {
  return (
    <EntityListPage
      resource={tagTypeResource}
      title={sections.tagTypes.label}
      columns={columns}
      nameOf={({ name }) => name}
      create={{ to: paths.createTagType(), permission: 'CREATE_TAG_TYPE' }}
      edit={{ to: ({ name }) => paths.editTagType(name), permission: 'UPDATE_TAG_TYPE' }}
      remove={{
        permission: 'DELETE_TAG_TYPE',
        describe: ({ name }) => ({ name, consequences: <Consequences type={name} /> }),
      }}
      related={[{ label: 'All tags', to: paths.tags() }]}
      empty={
        <EmptyState icon={<TagTypeIcon size={20} />} title="No tag types">
          Tags group toggles, and each tag has a type. For example, tags of the type “team” name the team that owns a
          toggle. Create a tag type to start.
        </EmptyState>
      }
    />
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
      <TextLink to={paths.editTagType(name)} className="min-w-0">
        {name}
      </TextLink>
    </span>
  );
}

function TagCount({ type }: { type: string }) {
  const known = useTagsOfType(type);
  return known && <Count value={known.length} noun="tag" />;
}

function Consequences({ type }: { type: string }) {
  const removedTags = useTagsOfType(type);
  return (
    <>
      and all its tags will be removed. {removedTags?.length === 0 && 'It has no tags.'}
      {removedTags !== undefined && removedTags.length > 0 && <TogglesWithTags tags={removedTags} />}
    </>
  );
}

/** Tags of a type; undefined while loading. */
function useTagsOfType(type: string) {
  return useRead(tags).data?.tags.filter((tag) => tag.type === type);
}
