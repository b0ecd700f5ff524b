import type { Tag } from '@/api/generated/types';
import { DEFAULT_TAG_TYPE, toTag, validateTagValue } from '@/domain/tags/tags';
import { sections } from '@/paths';
import { CreateForm } from '@/shared/EntityForms';
import type { Entity } from '@/shared/entity';
import { FormPage } from '@/shared/FormPage';
import { TagFields, type TagInput } from './components/TagFields';
import { tags } from './tags';

const tag: Entity<Tag, TagInput> = {
  resource: tags,
  section: sections.tags,
  createPermission: 'CREATE_TAG',
  form: {
    toInput: () => ({ type: DEFAULT_TAG_TYPE, value: '' }),
    toItem: ({ type, value }) => toTag(type, value),
    validate: ({ value }) => ({ value: validateTagValue(value) }),
  },
  Fields: TagFields,
};

export function TagCreatePage() {
  return (
    <FormPage title="New tag" within={sections.tags}>
      <CreateForm entity={tag} />
    </FormPage>
  );
}
