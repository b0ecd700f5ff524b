import { useNewerServer } from '@/api/environment';
import { isAtLeastMajor } from '@/api/serverVersion';
import type { FieldsProps } from '@/shared/entity';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import type { ContextFieldInput } from '../rules';
import { LegalValuesField } from './LegalValuesField';

export function ContextFieldFields(props: FieldsProps<ContextFieldInput>) {
  const { input, errors, onChange, isExisting, onCheckId } = props;
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
          help="The flexibleRollout strategy and variants can use this field, so that the same value always gets the same result."
          checked={input.stickiness}
          onChange={(stickiness) => onChange({ ...input, stickiness })}
        />
        <TextField
          label="Sort order"
          inputMode="numeric"
          autoComplete="off"
          className="max-w-28 tabular-nums"
          help={(isExisting && sortOrderLimit) || 'Lists show fields with smaller numbers first.'}
          error={errors.sortOrder}
          value={input.sortOrder}
          onChange={(sortOrder) => onChange({ ...input, sortOrder })}
        />
      </div>
    </Card>
  );
}

/** The first version that sets the sort order to 0 with every edit. Older ones with environments ignore it in an edit. */
const FIRST_WITH_RESET = 6;

function useSortOrderLimit(): string | undefined {
  const server = useNewerServer();
  if (!server) return undefined;
  return isAtLeastMajor(server.version ?? undefined, FIRST_WITH_RESET)
    ? 'This server sets the sort order to 0 with every edit.'
    : 'This server does not change the sort order in an edit.';
}
