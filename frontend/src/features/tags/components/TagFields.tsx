import { tagTypes } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { getTagTypeNames } from '@/domain/tags/tags';
import type { FieldsProps } from '@/shared/entity';
import { Card } from '@/ui/Card';
import { SelectField } from '@/ui/SelectField';
import { TextField } from '@/ui/TextField';

export interface TagInput {
  type: string;
  value: string;
}

export function TagFields({ input, errors, onChange }: FieldsProps<TagInput>) {
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
