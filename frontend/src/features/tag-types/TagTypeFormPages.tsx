// Pages that create and edit a tag type.

import { validateTagType } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { sections } from '@/paths';
import { CreateForm, EditForm } from '@/shared/EntityForms';
import type { EditableEntity, EntityForm, FieldsProps } from '@/shared/entity';
import { FormPage } from '@/shared/FormPage';
import { bindFields } from '@/shared/useForm';
import { useRouteParams } from '@/shared/useRouteParams';
import { Card } from '@/ui/Card';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { tagTypeResource } from './tagTypes';

// Input of the tag type form, its validation, and its conversion to the server's format.

interface TagTypeInput {
  name: string;
  description: string;
  icon: string;
}

const tagTypeForm: EntityForm<TagType, TagTypeInput> = {
  toInput: (type) => ({ name: type?.name ?? '', description: type?.description ?? '', icon: type?.icon ?? '' }),
  toItem: ({ name, description, icon }) => ({ name, description: description.trim(), icon: icon.trim() }),
  validate: ({ name }) => ({ name: name === '' ? 'Enter a name.' : undefined }),
  checkId: (check) => check('name', validateTagType),
};

const tagTypeLabels = { description: 'Description', icon: 'Icon' };

const tagTypeEntity: EditableEntity<TagType, TagTypeInput> = {
  resource: tagTypeResource,
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
      <CreateForm entity={tagTypeEntity} />
    </FormPage>
  );
}

export function TagTypeEditPage() {
  const { name = '' } = useRouteParams();
  return (
    <FormPage title={`Edit ${name}`} within={sections.tagTypes}>
      <EditForm entity={tagTypeEntity} id={name} />
    </FormPage>
  );
}

function TagTypeFields({ isExisting, onCheckId, ...fields }: FieldsProps<TagTypeInput>) {
  const bind = bindFields(fields);
  return (
    <Card>
      <div className="grid gap-4">
        <NameField
          label="Name"
          placeholder="url-friendly-unique-name"
          help={isExisting ? 'It cannot be changed, because tags refer to it.' : 'It cannot be changed later.'}
          isReadOnly={isExisting}
          {...bind('name')}
          onBlur={onCheckId}
        />
        <TextArea label="Description" rows={2} help="What tags of this type describe." {...bind('description')} />
        <TextField
          label="Icon"
          autoComplete="off"
          className="max-w-40"
          help="A letter or symbol, such as # or T."
          {...bind('icon')}
        />
      </div>
    </Card>
  );
}
