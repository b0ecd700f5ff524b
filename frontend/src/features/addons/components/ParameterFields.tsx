import type { AddonParameter, AddonProvider } from '@/api/generated/types';
import { Card } from '@/ui/Card';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { type AddonInput, addonParameterError, MASK, replaceMask } from '../rules';

interface Props {
  provider: AddonProvider;
  isNew: boolean;
  values: AddonInput['parameters'];
  /** True after the first attempt to save. */
  showErrors: boolean;
  onChange: (values: AddonInput['parameters']) => void;
}

export function ParameterFields({ provider, isNew, values, showErrors, onChange }: Props) {
  return (
    <Card>
      <div className="grid gap-4">
        <h2 className="font-semibold text-section">Parameters</h2>
        {provider.parameters.map((parameter) => (
          <ParameterField
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

function ParameterField({ parameter, value, error, onChange }: FieldProps) {
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
