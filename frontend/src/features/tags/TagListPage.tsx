import { useCapabilities } from '@/api/capabilities';
import { featuresWithTag } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { Tag } from '@/api/generated/types';
import { useReadEach } from '@/api/useReadEach';
import { TogglesWithTags } from '@/domain/tags/TogglesWithTags';
import { formatTag } from '@/domain/tags/tags';
import { formatTagParam } from '@/domain/toggles/toggleFacets';
import { paths, sections } from '@/paths';
import { EntityListPage } from '@/shared/EntityListPage';
import { TextLink } from '@/shared/TextLink';
import { type Column, textColumn } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { EmptyState } from '@/ui/EmptyState';
import { TagIcon } from '@/ui/icons';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { tagResource } from './tags';

const columns: readonly Column<Tag>[] = [
  textColumn('Value', ({ value }) => value),
  { header: 'Type', width: '25%', className: 'text-muted', cell: ({ type }) => type, search: ({ type }) => type },
  {
    header: 'Toggles',
    width: '25%',
    cell: (tag) => <TaggedToggles tag={tag} />,
  },
];

/** Maximum number of tags whose toggles are counted, because each one is a request. */
const MAX_COUNTED = 50;

/** Number of toggles by tag. Empty while loading, for too many tags, and on servers that cannot list toggles with a tag. */
function useToggleCounts(): ReadonlyMap<string, number> {
  const { items = [] } = tagResource.useList();
  const { filtersByTag } = useCapabilities();
  const params = items.map(formatTagParam);
  const isCounted = filtersByTag && params.length <= MAX_COUNTED;
  const { outcomes = [] } = useReadEach(isCounted ? params.map(featuresWithTag) : undefined);
  return new Map(
    params.flatMap((param, index) => {
      const outcome = outcomes[index];
      return outcome && !(outcome instanceof ApiError) ? [[param, outcome.features.length] as const] : [];
    }),
  );
}

/** Link to the toggles with a tag, with their number if it is known. */
function TaggedToggles({ tag }: { tag: Tag }) {
  const count = useToggleCounts().get(formatTagParam(tag));
  const text = count === undefined ? 'Show toggles' : <Count value={count} noun="toggle" />;
  return (
    <TextLink
      to={paths.togglesWithTag(formatTagParam(tag))}
      tone="accent"
      className="max-sm:relative max-sm:after:absolute max-sm:after:-inset-x-2 max-sm:after:-inset-y-3"
    >
      {text}
      <VisuallyHidden> tagged {formatTag(tag)}</VisuallyHidden>
    </TextLink>
  );
}

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
