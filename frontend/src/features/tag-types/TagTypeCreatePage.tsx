import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { PageHeader } from '@/ui/PageHeader';
import { TagTypeFields } from './components/TagTypeFields';
import { useTagTypeCreate } from './useTagTypeForm';

export function TagTypeCreatePage() {
  const { form, checkName } = useTagTypeCreate();
  return (
    <>
      <PageHeader title="New tag type" breadcrumb={<Breadcrumb within={sections.tagTypes} here="New tag type" />} />
      <Form form={form} submitLabel="Create" permission="CREATE_TAG_TYPE" cancel={paths.tagTypes()}>
        <TagTypeFields input={form.input} errors={form.errors} onChange={form.setInput} checkName={checkName} />
      </Form>
    </>
  );
}
