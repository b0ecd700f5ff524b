import { Link } from 'react-router-dom';
import type { TagType } from '@/api/generated/types';
import { needs, usePermission } from '@/api/permissions';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { useAddressParams } from '@/shared/useAddressParams';
import { buttonClass } from '@/ui/buttonClass';
import { Found } from '@/ui/Found';
import { Missing } from '@/ui/Missing';
import { PageHeader } from '@/ui/PageHeader';
import { TagTypeFields } from './components/TagTypeFields';
import { useTagTypeEdit } from './useTagTypeForm';
import { useTagTypes } from './useTagTypes';

export function TagTypeEditPage() {
  const { name = '' } = useAddressParams();
  const { types, error, reload } = useTagTypes();
  return (
    <>
      <PageHeader title={`Edit ${name}`} breadcrumb={<Breadcrumb within={sections.tagTypes} here={name} />} />
      <Found
        key={name}
        noun="tag type"
        items={types}
        is={(type) => type.name === name}
        error={error}
        onRetry={reload}
        missing={
          <Missing
            title="Could not find the tag type"
            actions={
              <Link to={paths.tagTypes()} className={buttonClass()}>
                All tag types
              </Link>
            }
          />
        }
      >
        {(type) => <Editor type={type} />}
      </Found>
    </>
  );
}

function Editor({ type }: { type: TagType }) {
  const { form } = useTagTypeEdit(type);
  const mayUpdate = usePermission('UPDATE_TAG_TYPE');
  return (
    <Form
      form={form}
      submitLabel="Save"
      disabledReason={mayUpdate ? undefined : needs('UPDATE_TAG_TYPE')}
      cancel={paths.tagTypes()}
    >
      <TagTypeFields input={form.input} errors={form.errors} onChange={form.setInput} />
    </Form>
  );
}
