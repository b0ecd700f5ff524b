// Pages that create and edit a tag type.
import type { TagType } from '@/api/generated/types';
import { sections } from '@/paths';
import { CreateForm, EditForm } from '@/shared/EntityForms';
import type { EditableEntity } from '@/shared/entity';
import { FormPage } from '@/shared/FormPage';
import { useRouteParams } from '@/shared/useRouteParams';
import { TagTypeFields } from './components/TagTypeFields';
import { type TagTypeInput, tagTypeForm, tagTypeLabels } from './rules';
import { tagTypes } from './tagTypes';

const tagType: EditableEntity<TagType, TagTypeInput> = {
  resource: tagTypes,
  section: sections.tagTypes,
  createPermission: 'CREATE_TAG_TYPE',
  updatePermission: 'UPDATE_TAG_TYPE',
  form: tagTypeForm,
  labels: tagTypeLabels,
  Fields: TagTypeFields,
};

export function TagTypeCreatePage() {
  return (
    <FormPage title="New tag type" within={sections.tagTypes}>
      <CreateForm entity={tagType} />
    </FormPage>
  );
}

export function TagTypeEditPage() {
  const { name = '' } = useRouteParams();
  return (
    <FormPage title={`Edit ${name}`} here={name} within={sections.tagTypes}>
      <EditForm entity={tagType} id={name} />
    </FormPage>
  );
}
