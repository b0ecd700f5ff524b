import { useNewerServer } from '@/api/environment';
import { isAtLeastMajor, isVersion3Before, useServerVersion } from '@/api/serverVersion';
import { useSettings } from '@/api/settings';
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
const NOT_STORED = 'Servers before 3.12 do not store this.';

export function ContextFieldFields(props: FieldsProps<ContextFieldInput>) {
  const { input, errors, onChange, isExisting, onCheckId } = props;
  const isIncomplete = isVersion3Before(12, useServerVersion());
  const sortOrderLimit = useSortOrderLimit();
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
          help={isIncomplete ? NOT_STORED : STICKINESS_HELP}
          checked={input.stickiness}
          onChange={(stickiness) => onChange({ ...input, stickiness })}
        />
        <TextField
          label="Sort order"
          inputMode="numeric"
          autoComplete="off"
          className="max-w-28 tabular-nums"
          help={
            isIncomplete
              ? NOT_STORED
              : (isExisting && sortOrderLimit) || 'Lists show fields with smaller numbers first.'
          }
          error={errors.sortOrder}
          value={input.sortOrder}
          onChange={(sortOrder) => onChange({ ...input, sortOrder })}
        />
      </div>
    </Card>
  );
}

/** The first version that sets the sort order to 0 with every edit. Older ones ignore it in an edit. */
const FIRST_WITH_RESET = 6;

function useSortOrderLimit(): string | undefined {
  const version = useNewerServer()?.version ?? undefined;
  if (useSettings()?.mode !== 'upstream') return undefined;
  return isAtLeastMajor(version, FIRST_WITH_RESET)
    ? 'This server sets the sort order to 0 with every edit.'
    : 'This server does not change the sort order in an edit.';
}
