import type { TagType } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { useRouteParams } from '@/shared/useRouteParams';
import { ItemLoader } from '@/ui/ItemLoader';
import { PageHeader } from '@/ui/PageHeader';
import { TagTypeFields } from './components/TagTypeFields';
import { useTagTypeEdit } from './useTagTypeForm';
import { useTagTypes } from './useTagTypes';

export function TagTypeEditPage() {
  const { name = '' } = useRouteParams();
  const { types, error, reload } = useTagTypes();
  return (
    <>
      <PageHeader title={`Edit ${name}`} breadcrumb={<Breadcrumb within={sections.tagTypes} here={name} />} />
      <ItemLoader
        key={name}
        noun="tag type"
        items={types}
        matches={(type) => type.name === name}
        error={error}
        onRetry={reload}
        notFound={<ResourceNotFound title="Could not find the tag type" within={sections.tagTypes} />}
      >
        {(type) => <Editor type={type} />}
      </ItemLoader>
    </>
  );
}

function Editor({ type }: { type: TagType }) {
  const { form } = useTagTypeEdit(type);
  return (
    <Form form={form} submitLabel="Save" permission="UPDATE_TAG_TYPE" cancel={paths.tagTypes()}>
      <TagTypeFields input={form.input} errors={form.errors} onChange={form.setInput} />
    </Form>
  );
}
