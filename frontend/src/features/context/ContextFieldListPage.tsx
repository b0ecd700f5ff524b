import { context as call } from '@/api/endpoints';
import type { ContextField } from '@/api/generated/types';
import { useDialogSubject } from '@/lib/useDialogSubject';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { CreateLink } from '@/shared/CreateLink';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { EmptyState } from '@/ui/EmptyState';
import { ContextFieldIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { ContextFieldTable, contextFieldColumns } from './components/ContextFieldTable';
import { RemoveContextField } from './components/RemoveContextField';
import { useContextFields } from './useContextFields';

export function ContextFieldListPage() {
  const { fields, error, reload } = useContextFields();
  const search = useListSearch(fields, contextFieldColumns);
  const { subject, open, ask, close } = useDialogSubject<ContextField>();
  return (
    <>
      <PageHeader
        title="Context fields"
        count={fields?.length}
        actions={
          <>
            <CopyList items={search.shown} call={call} columns={contextFieldColumns} />
            <CreateLink to={paths.createContextField()} permission="CREATE_CONTEXT_FIELD" noun="context field" />
          </>
        }
      />
      <SearchableList
        nouns={['context field', 'context fields']}
        search={search}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={<ContextFieldIcon size={20} />} title="No context fields">
            Applications send context such as the user or the region. Create a context field to use it in constraints
            and rollouts.
          </EmptyState>
        }
      >
        {(shown) => <ContextFieldTable fields={shown} onRemove={ask} />}
      </SearchableList>
      <RemoveContextField field={subject} open={open} onClose={close} />
    </>
  );
}
