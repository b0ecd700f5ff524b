import { useCapabilities } from '@/api/capabilities';
import type { FieldsProps } from '@/shared/entity';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import type { ContextFieldInput } from '../rules';
import { LegalValuesField } from './LegalValuesField';

const STICKINESS_HELP =
  'The flexibleRollout strategy and variants can use this field, so that the same value always gets the same result.';
const SORT_ORDER_LIMITS = {
  stored: undefined,
  ignored: 'This server does not change the sort order in an edit.',
  reset: 'This server sets the sort order to 0 with every edit.',
};
const NOT_STORED = 'Servers before 3.12 do not store this.';

export function ContextFieldFields(props: FieldsProps<ContextFieldInput>) {
  const { input, errors, onChange, isExisting, onCheckId } = props;
  const { storesFieldDetails, sortOrderInEdit } = useCapabilities();
  const sortOrderLimit = SORT_ORDER_LIMITS[sortOrderInEdit];
  return (
    <Card>
      <div className="grid gap-4">
        <NameField
          label="Name"
          help={
            isExisting
              ? 'The name cannot be changed: applications send it.'
              : 'The name that your applications send. It cannot be changed later.'
          }
          isReadOnly={isExisting}
          error={errors.name}
          value={input.name}
          onChange={(name) => onChange({ ...input, name })}
          onBlur={onCheckId}
        />
        <TextArea
          label="Description"
          rows={2}
          value={input.description}
          onChange={(description) => onChange({ ...input, description })}
        />
        <LegalValuesField input={input} onChange={onChange} />
        <Checkbox
          label="Allow stickiness"
          help={storesFieldDetails ? STICKINESS_HELP : NOT_STORED}
          checked={input.stickiness}
          onChange={(stickiness) => onChange({ ...input, stickiness })}
        />
        <TextField
          label="Sort order"
          inputMode="numeric"
          autoComplete="off"
          className="max-w-28 tabular-nums"
          help={
            storesFieldDetails
              ? (isExisting && sortOrderLimit) || 'Lists show fields with smaller numbers first.'
              : NOT_STORED
          }
          error={errors.sortOrder}
          value={input.sortOrder}
          onChange={(sortOrder) => onChange({ ...input, sortOrder })}
        />
      </div>
    </Card>
  );
}
