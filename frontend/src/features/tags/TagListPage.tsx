import { Tag as TagIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { tags as call } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { CreateLink } from '@/shared/CreateLink';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { buttonClass } from '@/ui/buttonClass';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { TagTable } from './components/TagTable';
import { useTagRemoval } from './components/useTagRemoval';
import { tags } from './tags';

const textsOf = ({ type, value }: Tag) => [value, type];

export function TagListPage() {
  const { items, error, reload } = tags.useList();
  const search = useListSearch(items, textsOf);
  const removal = useTagRemoval();
  return (
    <>
      <PageHeader
        title="Tags"
        count={items?.length}
        actions={
          <>
            <CopyList
              items={search.shown}
              call={call}
              columns={[
                { header: 'Type', text: ({ type }) => type },
                { header: 'Value', text: ({ value }) => value },
              ]}
            />
            <Link to={paths.tagTypes()} className={buttonClass()}>
              Tag types
            </Link>
            <CreateLink to={paths.createTag()} permission="CREATE_TAG" noun="tag" />
          </>
        }
      />
      <SearchableList
        nouns={['tag', 'tags']}
        by="value or type"
        search={search}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={<TagIcon size={20} strokeWidth={1.75} aria-hidden="true" />} title="No tags">
            Tags group related toggles. Create a tag here, or add one on the page of a toggle.
          </EmptyState>
        }
      >
        {(shown) => <TagTable tags={shown} onRemove={removal.ask} />}
      </SearchableList>
      {removal.dialog}
    </>
  );
}
