import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { PageHeader } from '@/ui/PageHeader';
import { ContextFieldFields } from './components/ContextFieldFields';
import { useContextFieldCreate } from './useContextFieldForm';

export function ContextFieldCreatePage() {
  const { form, checkName } = useContextFieldCreate();
  return (
    <>
      <PageHeader
        title="Create context field"
        breadcrumb={<Breadcrumb within={sections.contextFields} here="Create context field" />}
      />
      <Form form={form} submitLabel="Create" permission="CREATE_CONTEXT_FIELD" cancel={paths.contextFields()}>
        <ContextFieldFields input={form.input} errors={form.errors} onChange={form.setInput} checkName={checkName} />
      </Form>
    </>
  );
}
