import { useId } from 'react';
import type { AddonParameter, AddonProvider } from '@/api/generated/types';
import { useSettings } from '@/api/settings';
import { describeEventType, parseType } from '@/domain/events/eventType';
import { cx } from '@/lib/cx';
import { bindFields, type FormFields } from '@/shared/useForm';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { REQUIRED_MARK } from '@/ui/Field';
import { ENABLED_TEXT, Switch } from '@/ui/Switch';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { type AddonInput, addonParameterError, eventChoices, MASK, replaceMask } from './rules';

interface Props extends FormFields<AddonInput> {
  provider: AddonProvider;
  isNew?: boolean;
}

export function AddonFields({ provider, isNew = false, ...fields }: Props) {
  const { input, errors, onChange } = fields;
  const bind = bindFields(fields);
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
          <TextArea label="Description" rows={2} help="The purpose of this addon." {...bind('description')} />
        </div>
      </Card>
      <EventCheckboxes
        choices={eventChoices(provider, input, useSettings()?.journal === true)}
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

interface EventCheckboxesProps {
  choices: readonly string[];
  chosen: readonly string[];
  error: string | undefined;
  onChange: (chosen: readonly string[]) => void;
}

function EventCheckboxes({ choices, chosen, error, onChange }: EventCheckboxesProps) {
  const id = useId();
  const setChosen = (event: string, isChosen: boolean) =>
    onChange(choices.filter((one) => (one === event ? isChosen : chosen.includes(one))));
  const groups = [
    { heading: 'Toggles', events: choices.filter(isToggleEvent) },
    { heading: 'Operations', events: choices.filter((event) => !isToggleEvent(event)) },
  ].filter(({ events }) => events.length > 0);
  return (
    <fieldset
      aria-describedby={error ? `${id}-error` : undefined}
      className="grid min-w-0 gap-3 rounded-card border border-line bg-surface p-4 shadow-card"
    >
      <legend className={cx('float-left w-full font-semibold text-section', REQUIRED_MARK)}>Events</legend>
      <p className="text-muted text-secondary">Sent to this addon.</p>
      {groups.map(({ heading, events }) => (
        <fieldset key={heading} className="min-w-0">
          {groups.length > 1 && <legend className="mb-2 font-semibold text-secondary">{heading}</legend>}
          <div className="grid gap-x-4 gap-y-2.5 touch:gap-y-0 sm:grid-cols-2">
            {events.map((event) => (
              <Checkbox
                key={event}
                label={describeEventType(event)}
                checked={chosen.includes(event)}
                onChange={(isChosen) => setChosen(event, isChosen)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {error && (
        <p id={`${id}-error`} role="alert" tabIndex={-1} className="text-danger text-secondary">
          {error}
        </p>
      )}
      <div className="flex gap-2.5">
        <Button size="small" onClick={() => onChange(choices)}>
          Select all
        </Button>
        <Button size="small" onClick={() => onChange([])}>
          Clear all
        </Button>
      </div>
    </fieldset>
  );
}

const isToggleEvent = (event: string) => parseType(event)?.kind === 'toggle';

interface ParameterFieldsProps {
  provider: AddonProvider;
  isNew: boolean;
  values: AddonInput['parameters'];
  /** True after the first attempt to save. */
  showErrors: boolean;
  onChange: (values: AddonInput['parameters']) => void;
}

function ParameterFields({ provider, isNew, values, showErrors, onChange }: ParameterFieldsProps) {
  return (
    <Card>
      <div className="grid gap-4">
        <h2 className="font-semibold text-section">Parameters</h2>
        {provider.parameters.map((parameter) => (
          <AddonParameterField
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] ?? ''}
            error={showErrors ? addonParameterError(parameter, values, isNew) : undefined}
            onChange={(value) => onChange({ ...values, [parameter.name]: value })}
          />
        ))}
        {provider.tagTypes?.map(({ name, description }) => (
          <p key={name} className="text-muted text-secondary">
            Toggles can override this with a tag of type <b className="text-text">{name}</b>: {description}
          </p>
        ))}
      </div>
    </Card>
  );
}

interface FieldProps {
  parameter: AddonParameter;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function AddonParameterField({ parameter, value, error, onChange }: FieldProps) {
  const { displayName, description, placeholder, type, required, sensitive } = parameter;
  const shared = {
    label: displayName,
    help: value === MASK && sensitive ? 'A value is saved. Enter a new value to replace it.' : description,
    error,
    value,
    placeholder,
    required,
    autoComplete: 'off',
    spellCheck: false,
  };
  if (sensitive) {
    return (
      <TextField
        {...shared}
        type="password"
        autoComplete="new-password"
        onFocus={(event) => event.currentTarget.select()}
        onChange={(typed) => onChange(replaceMask(value, typed))}
      />
    );
  }
  if (type === 'textfield') {
    return <TextArea {...shared} className="min-h-40 font-mono" onChange={onChange} />;
  }
  return <TextField {...shared} inputMode={type === 'url' ? 'url' : 'text'} onChange={onChange} />;
}
