import type { AddonProvider } from '@/api/generated/types';
import type { FieldErrors } from '@/shared/useForm';
import { Card } from '@/ui/Card';
import { ENABLED_TEXT, Switch } from '@/ui/Switch';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { type AddonInput, eventChoices } from '../rules';
import { EventCheckboxes } from './EventCheckboxes';
import { ParameterFields } from './ParameterFields';

interface Props {
  provider: AddonProvider;
  isNew?: boolean;
  input: AddonInput;
  errors: FieldErrors<AddonInput>;
  onChange: (input: AddonInput) => void;
}

export function AddonFields({ provider, isNew = false, input, errors, onChange }: Props) {
  return (
    <>
      <Card>
        <div className="grid gap-4">
          <TextField
            label="Provider"
            readOnly
            value={provider.displayName}
            help={provider.description}
            onChange={() => undefined}
          />
          <div>
            <Switch
              label="Enabled"
              stateText={ENABLED_TEXT}
              checked={input.enabled}
              onChange={(enabled) => onChange({ ...input, enabled })}
            />
          </div>
          <TextArea
            label="Description"
            rows={2}
            help="The purpose of this addon."
            value={input.description}
            onChange={(description) => onChange({ ...input, description })}
          />
        </div>
      </Card>
      <EventCheckboxes
        choices={eventChoices(provider, input)}
        chosen={input.events}
        error={errors.events}
        onChange={(events) => onChange({ ...input, events })}
      />
      {provider.parameters.length > 0 && (
        <ParameterFields
          provider={provider}
          isNew={isNew}
          values={input.parameters}
          showErrors={errors.parameters !== undefined}
          onChange={(parameters) => onChange({ ...input, parameters })}
        />
      )}
    </>
  );
}
