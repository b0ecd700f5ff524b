import { tags as call } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { useDialogSubject } from '@/lib/useDialogSubject';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { CreateLink } from '@/shared/CreateLink';
import { LinkButton } from '@/shared/LinkButton';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { EmptyState } from '@/ui/EmptyState';
import { TagIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { RemoveTag } from './components/RemoveTag';
import { TagTable, tagColumns } from './components/TagTable';
import { useTags } from './useTags';

export function TagListPage() {
  const { tags, error, reload } = useTags();
  const search = useListSearch(tags, tagColumns);
  const { subject, open, ask, close } = useDialogSubject<Tag>();
  return (
    <>
      <PageHeader
        title="Tags"
        count={tags?.length}
        actions={
          <>
            <CopyList items={search.shown} call={call} columns={tagColumns} />
            <LinkButton to={paths.tagTypes()}>Tag types</LinkButton>
            <CreateLink to={paths.createTag()} permission="CREATE_TAG" noun="tag" />
          </>
        }
      />
      <SearchableList
        nouns={['tag', 'tags']}
        search={search}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={<TagIcon size={20} />} title="No tags">
            Tags group related toggles. Create a tag here, or add one on the page of a toggle.
          </EmptyState>
        }
      >
        {(shown) => <TagTable tags={shown} onRemove={ask} />}
      </SearchableList>
      <RemoveTag tag={subject} open={open} onClose={close} />
    </>
  );
}
