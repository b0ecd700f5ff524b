// Input for a strategy parameter, depending on its type. All values are sent as text.
import type { ParameterDefinition } from '@/api/generated/types';
import { getParameterLabel } from '@/domain/strategies/strategyNames';
import { withPercentSign } from '@/lib/format';
import { useRequestedFocus } from '@/lib/requestedFocus';
import { splitList } from '@/lib/text';
import { Button } from '@/ui/Button';
import { ChipsField } from '@/ui/ChipsField';
import { Field, type FieldText } from '@/ui/Field';
import { SelectField } from '@/ui/Select';
import { Slider } from '@/ui/Slider';
import { Switch } from '@/ui/Switch';
import { TextField } from '@/ui/TextField';
import { validateParameter } from '../saving/rules';

interface Props {
  parameter: ParameterDefinition;
  value: string;
  /** The stored value; undefined for a new strategy. */
  saved?: string | undefined;
  stickiness: readonly string[];
  /** A sentence above the field shows its percentage in words. */
  isInSentence?: boolean;
  onChange: (value: string) => void;
}

export function ParameterField(props: Props) {
  return (
    <div
      ref={useRequestedFocus<HTMLDivElement>(`parameter ${props.parameter.name}`)}
      className={isWide(props.parameter) ? 'min-w-0 sm:col-span-2' : 'min-w-0'}
    >
      <ParameterInput {...props} />
    </div>
  );
}

function isWide({ type }: ParameterDefinition): boolean {
  return type === 'percentage' || type === 'list';
}

function ParameterInput({ parameter, value, saved, stickiness, isInSentence = false, onChange }: Props) {
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
      return <PercentageField {...shared} saved={saved} isInSentence={isInSentence} />;
    case 'list':
      return (
        <div data-values>
          <ListField {...shared} />
        </div>
      );
    case 'boolean':
      return <BooleanField {...help} label={shared.label} value={value} onChange={onChange} />;
    case 'number':
      return <TextField {...shared} inputMode="decimal" {...(error ? { error } : {})} />;
    case 'string':
      return <TextField {...shared} />;
  }
}

interface BooleanFieldProps extends Omit<FieldText, 'error' | 'required'> {
  /** `true` or `false` as text. */
  value: string;
  onChange: (value: string) => void;
}

/** Switch for a boolean, with the label and the description of a form field. */
function BooleanField({ value, onChange, ...text }: BooleanFieldProps) {
  return (
    <Field {...text}>
      {(control) => (
        <span className="flex min-h-control items-center">
          <Switch
            control={control}
            label={text.label}
            stateText={['Yes', 'No']}
            checked={value === 'true'}
            onChange={(checked) => onChange(String(checked))}
          />
        </span>
      )}
    </Field>
  );
}

interface ListFieldProps extends Omit<FieldText, 'error'> {
  /** Comma-separated values, as sent to the server. */
  value: string;
  onChange: (value: string) => void;
}

function ListField({ value, onChange, ...text }: ListFieldProps) {
  return <ChipsField {...text} entries={splitList(value)} onChange={(entries) => onChange(entries.join(','))} />;
}

interface PercentageFieldProps extends Omit<FieldText, 'error'> {
  value: string;
  saved: string | undefined;
  isInSentence: boolean;
  onChange: (value: string) => void;
}

/** Steps of a gradual rollout. */
const STEPS = [1, 10, 25, 50, 100];

/** Slider, number input and common steps for whole percentages. A mark shows the stored value. */
function PercentageField({ value, saved, isInSentence, onChange, help, ...text }: PercentageFieldProps) {
  function change(typed: string) {
    const number = Math.round(Number(typed));
    onChange(typed === '' ? '' : String(Math.min(100, Math.max(0, number || 0))));
  }
  return (
    <Field {...text} hidesLabel={isInSentence} {...(help && !isInSentence && { help })}>
      {(input) => (
        <>
          <div className="flex items-center gap-4">
            <Slider
              label={`${text.label} slider`}
              value={Number(value) || 0}
              mark={saved !== undefined && saved !== value ? Number(saved) || 0 : undefined}
              onChange={(percent) => change(String(percent))}
            />
            <span className="flex h-control w-21 items-center rounded-control border border-line-control bg-surface pr-3 focus-within:outline-2 focus-within:outline-accent has-disabled:border-line has-disabled:bg-line/50 max-sm:h-touch">
              <input
                {...input}
                data-share=""
                type="number"
                min={0}
                max={100}
                value={value}
                onChange={({ target }) => {
                  // Browsers report an empty value for a text such as 25e, which is not 0 %.
                  if (!target.validity.badInput) change(target.value);
                }}
                className="w-full min-w-0 bg-transparent pl-3 tabular-nums outline-none [appearance:textfield] [&::-webkit-inner-spin-button]:hidden"
              />
              <span className="text-faint">%</span>
            </span>
          </div>
          <div className="flex flex-wrap gap-1.5">
            {STEPS.map((step) => (
              <Button
                key={step}
                size="small"
                aria-label={`Set ${withPercentSign(step)}`}
                aria-pressed={value === String(step)}
                className="px-2! text-label! aria-pressed:forced-selected aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
                onClick={() => change(String(step))}
              >
                {withPercentSign(step)}
              </Button>
            ))}
          </div>
        </>
      )}
    </Field>
  );
}
