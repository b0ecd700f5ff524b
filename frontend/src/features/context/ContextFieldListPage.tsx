import { Braces } from 'lucide-react';
import { context as call } from '@/api/endpoints';
import type { ContextField } from '@/api/generated/types';
import { useSubject } from '@/lib/useSubject';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { fullAddress } from '@/shared/CopyMenu';
import { CreateLink } from '@/shared/CreateLink';
import { SearchedList } from '@/shared/SearchedList';
import { useListSearch } from '@/shared/useListSearch';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { ContextFieldTable } from './components/ContextFieldTable';
import { RemoveContextField } from './components/RemoveContextField';
import { useContextFields } from './useContextFields';

const textsOf = ({ name, description, legalValues = [] }: ContextField) => [name, description, ...legalValues];

export function ContextFieldListPage() {
  const { fields, error, reload } = useContextFields();
  const search = useListSearch(fields, textsOf);
  const { subject, open, ask, close } = useSubject<ContextField>();
  return (
    <>
      <PageHeader
        title="Context fields"
        count={fields?.length}
        actions={
          <>
            <CopyList
              items={search.shown}
              call={call}
              columns={[
                {
                  head: 'Context field',
                  text: ({ name }) => name,
                  address: ({ name }) => fullAddress(paths.editContextField(name)),
                },
                { head: 'Description', text: ({ description }) => description },
                { head: 'Legal values', text: ({ legalValues = [] }) => legalValues.join(', ') },
              ]}
            />
            <CreateLink to={paths.createContextField()} permission="CREATE_CONTEXT_FIELD" noun="context field" />
          </>
        }
      />
      <SearchedList
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
        {(shown) => <ContextFieldTable fields={shown} onRemove={ask} />}
      </SearchedList>
      <RemoveContextField field={subject} open={open} onClose={close} />
    </>
  );
}
