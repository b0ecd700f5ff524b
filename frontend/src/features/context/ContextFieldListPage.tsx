import { Braces } from 'lucide-react';
import { context as call } from '@/api/endpoints';
import type { ContextField } from '@/api/generated/types';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { toAbsoluteUrl } from '@/shared/CopyMenu';
import { CreateLink } from '@/shared/CreateLink';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { ContextFieldTable } from './components/ContextFieldTable';
import { useContextFieldRemoval } from './components/useContextFieldRemoval';
import { contextFields } from './contextFields';

const textsOf = ({ name, description, legalValues = [] }: ContextField) => [name, description, ...legalValues];

export function ContextFieldListPage() {
  const { items, error, reload } = contextFields.useList();
  const search = useListSearch(items, textsOf);
  const removal = useContextFieldRemoval();
  return (
    <>
      <PageHeader
        title="Context fields"
        count={items?.length}
        actions={
          <>
            <CopyList
              items={search.shown}
              call={call}
              columns={[
                {
                  header: 'Context field',
                  text: ({ name }) => name,
                  href: ({ name }) => toAbsoluteUrl(paths.editContextField(name)),
                },
                { header: 'Description', text: ({ description }) => description },
                { header: 'Legal values', text: ({ legalValues = [] }) => legalValues.join(', ') },
              ]}
            />
            <CreateLink to={paths.createContextField()} permission="CREATE_CONTEXT_FIELD" noun="context field" />
          </>
        }
      />
      <SearchableList
        nouns={['context field', 'context fields']}
        by="name, description or legal value"
        search={search}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={<Braces size={20} strokeWidth={1.75} aria-hidden="true" />} title="No context fields">
            Applications send context such as the user or the region. Create a context field to use it in constraints
            and rollouts.
          </EmptyState>
        }
      >
        {(shown) => <ContextFieldTable fields={shown} onRemove={removal.ask} />}
      </SearchableList>
      {removal.dialog}
    </>
  );
}
