import { tagTypes } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { DEFAULT_TAG_TYPE, getTagTypeNames, toTag, validateTagValue } from '@/domain/tags/tags';
import { sections } from '@/paths';
import { CreateForm } from '@/shared/EntityForms';
import type { Entity, FieldsProps } from '@/shared/entity';
import { FormPage } from '@/shared/FormPage';
import { Card } from '@/ui/Card';
import { SelectField } from '@/ui/Select';
import { TextField } from '@/ui/TextField';
import { tagResource } from './tags';

const tag: Entity<Tag, TagInput> = {
  resource: tagResource,
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

interface TagInput {
  type: string;
  value: string;
}

function TagFields({ input, errors, onChange }: FieldsProps<TagInput>) {
  const types = useRead(tagTypes).data?.tagTypes ?? [];
  return (
    <Card>
      <div className="grid gap-4">
        <SelectField
          label="Type"
          help={types.find(({ name }) => name === input.type)?.description ?? undefined}
          value={input.type}
          options={getTagTypeNames(types).map((name) => ({ value: name, label: name }))}
          onChange={(type) => onChange({ ...input, type })}
        />
        <TextField
          label="Value"
          required
          autoComplete="off"
          error={errors.value}
          value={input.value}
          onChange={(value) => onChange({ ...input, value })}
        />
      </div>
    </Card>
  );
}
