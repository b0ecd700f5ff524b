import type { ContextField } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { useRouteParams } from '@/shared/useRouteParams';
import { ItemLoader } from '@/ui/ItemLoader';
import { PageHeader } from '@/ui/PageHeader';
import { ContextFieldFields } from './components/ContextFieldFields';
import { useContextFieldEdit } from './useContextFieldForm';
import { useContextFields } from './useContextFields';

/** Form that edits a context field. The specification requires the title of the create form. */
export function ContextFieldEditPage() {
  const { name = '' } = useRouteParams();
  const { fields, error, reload } = useContextFields();
  return (
    <>
      <PageHeader
        title="Create context field"
        breadcrumb={<Breadcrumb within={sections.contextFields} here={name} />}
      />
      <ItemLoader
        key={name}
        noun="context field"
        items={fields}
        matches={(field) => field.name === name}
        error={error}
        onRetry={reload}
        notFound={<ResourceNotFound title="Could not find the context field" within={sections.contextFields} />}
      >
        {(field) => <ContextFieldForm field={field} />}
      </ItemLoader>
    </>
  );
}

function ContextFieldForm({ field }: { field: ContextField }) {
  const { form } = useContextFieldEdit(field);
  return (
    <Form form={form} submitLabel="Save" permission="UPDATE_CONTEXT_FIELD" cancel={paths.contextFields()}>
      <ContextFieldFields input={form.input} errors={form.errors} onChange={form.setInput} />
    </Form>
  );
}
