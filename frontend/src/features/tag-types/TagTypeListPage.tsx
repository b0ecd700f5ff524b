import { Tags } from 'lucide-react';
import { Link } from 'react-router-dom';
import { tagTypes as call } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { toAbsoluteUrl } from '@/shared/CopyMenu';
import { CreateLink } from '@/shared/CreateLink';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { buttonClass } from '@/ui/buttonClass';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { TagTypeTable } from './components/TagTypeTable';
import { useTagTypeRemoval } from './components/useTagTypeRemoval';
import { tagTypes } from './tagTypes';

const textsOf = ({ name, description }: TagType) => [name, description];

export function TagTypeListPage() {
  const { items, error, reload } = tagTypes.useList();
  const search = useListSearch(items, textsOf);
  const removal = useTagTypeRemoval();
  return (
    <>
      <PageHeader
        title="Tag types"
        count={items?.length}
        actions={
          <>
            <CopyList
              items={search.shown}
              call={call}
              columns={[
                {
                  header: 'Tag type',
                  text: ({ name }) => name,
                  href: ({ name }) => toAbsoluteUrl(paths.editTagType(name)),
                },
                { header: 'Description', text: ({ description }) => description },
              ]}
            />
            <Link to={paths.tags()} className={buttonClass()}>
              All tags
            </Link>
            <CreateLink to={paths.createTagType()} permission="CREATE_TAG_TYPE" noun="tag type" />
          </>
        }
      />
      <SearchableList
        nouns={['tag type', 'tag types']}
        by="name or description"
        search={search}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={<Tags size={20} strokeWidth={1.75} aria-hidden="true" />} title="No tag types">
            Tags group toggles, and each tag has a type. For example, tags of the type “team” name the team that owns a
            toggle. Create a tag type to start.
          </EmptyState>
        }
      >
        {(shown) => <TagTypeTable types={shown} onRemove={removal.ask} />}
      </SearchableList>
      {removal.dialog}
    </>
  );
}
