// Input for a strategy parameter, depending on its type. All values are sent as text.
import type { ParameterDefinition } from '@/api/generated/types';
import { getParameterLabel } from '@/domain/strategies/describeStrategy';
import { SelectField } from '@/ui/SelectField';
import { TextField } from '@/ui/TextField';
import { validateParameter } from '../saving/rules';
import { BooleanField } from './BooleanField';
import { ListField } from './ListField';
import { PercentageField } from './PercentageField';

interface Props {
  parameter: ParameterDefinition;
  value: string;
  stickiness: readonly string[];
  onChange: (value: string) => void;
}

export function ParameterField({ parameter, value, stickiness, onChange }: Props) {
  const { name, type, description, required } = parameter;
  const help = description ? { help: description } : {};
  const shared = { label: getParameterLabel(name), required, value, onChange, ...help };
  // A custom strategy may use the name for a parameter of another type.
  if (name === 'stickiness' && type === 'string') {
    // A stored field that is no longer sticky stays selected until another is chosen.
    const fields = stickiness.includes(value) ? stickiness : [value, ...stickiness];
    return <SelectField {...shared} options={fields.map((field) => ({ value: field, label: field || 'not set' }))} />;
  }
  const error = validateParameter(parameter, value);
  switch (type) {
    case 'percentage':
      return <PercentageField {...shared} />;
    case 'list':
      return <ListField {...shared} />;
    case 'boolean':
      return <BooleanField {...help} label={shared.label} value={value} onChange={onChange} />;
    case 'number':
      return <TextField {...shared} inputMode="decimal" {...(error ? { error } : {})} />;
    case 'string':
      return <TextField {...shared} />;
  }
}
