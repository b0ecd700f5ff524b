import { tagTypes } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { newTag, TagFields, type TagInput, tagErrors } from '@/domain/tags/TagFields';
import { toTag } from '@/domain/tags/tags';
import { sections } from '@/paths';
import { CreateForm } from '@/shared/EntityForms';
import type { Entity, FieldsProps } from '@/shared/entity';
import { FormPage } from '@/shared/FormPage';
import { Card } from '@/ui/Card';
import { tagResource } from './tags';

const tag: Entity<Tag, TagInput> = {
  resource: tagResource,
  section: sections.tags,
  createPermission: 'CREATE_TAG',
  form: {
    toInput: () => newTag,
    toItem: ({ type, value }) => toTag(type, value),
    validate: tagErrors,
  },
  Fields,
};

export function TagCreatePage() {
  return (
    <FormPage title="New tag" within={sections.tags}>
      <CreateForm entity={tag} />
    </FormPage>
  );
}

function Fields(fields: FieldsProps<TagInput>) {
  return (
    <Card>
      <TagFields {...fields} types={useRead(tagTypes).data?.tagTypes ?? []} />
    </Card>
  );
}
