import { tagTypes as call } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { useDialogSubject } from '@/lib/useDialogSubject';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { CreateLink } from '@/shared/CreateLink';
import { LinkButton } from '@/shared/LinkButton';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { EmptyState } from '@/ui/EmptyState';
import { TagTypeIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { RemoveTagType } from './components/RemoveTagType';
import { TagTypeTable, tagTypeColumns } from './components/TagTypeTable';
import { useTagTypes } from './useTagTypes';

export function TagTypeListPage() {
  const { types, error, reload } = useTagTypes();
  const search = useListSearch(types, tagTypeColumns);
  const { subject, open, ask, close } = useDialogSubject<TagType>();
  return (
    <>
      <PageHeader
        title="Tag types"
        count={types?.length}
        actions={
          <>
            <CopyList items={search.shown} call={call} columns={tagTypeColumns} />
            <LinkButton to={paths.tags()}>All tags</LinkButton>
            <CreateLink to={paths.createTagType()} permission="CREATE_TAG_TYPE" noun="tag type" />
          </>
        }
      />
      <SearchableList
        nouns={['tag type', 'tag types']}
        search={search}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={<TagTypeIcon size={20} />} title="No tag types">
            Tags group toggles, and each tag has a type. For example, tags of the type “team” name the team that owns a
            toggle. Create a tag type to start.
          </EmptyState>
        }
      >
        {(shown) => <TagTypeTable types={shown} onRemove={ask} />}
      </SearchableList>
      <RemoveTagType type={subject} open={open} onClose={close} />
    </>
  );
}
