import { Field, type FieldText } from '@/ui/Field';
import { Slider } from '@/ui/Slider';

interface Props extends Omit<FieldText, 'error'> {
  value: string;
  onChange: (value: string) => void;
}

/** Slider and number input for whole percentages. */
export function PercentageField({ value, onChange, ...text }: Props) {
  function change(typed: string) {
    const number = Math.round(Number(typed));
    onChange(typed === '' ? '' : String(Math.min(100, Math.max(0, number || 0))));
  }
  return (
    <div className="sm:col-span-2">
      <Field {...text}>
        {(input) => (
          <div className="flex items-center gap-4">
            <Slider
              label={`${text.label} slider`}
              value={Number(value) || 0}
              onChange={(percent) => change(String(percent))}
            />
            <span className="flex h-control w-21 items-center rounded-control border border-line-control bg-surface pr-3 focus-within:outline-2 focus-within:outline-accent has-disabled:border-line has-disabled:bg-line/50 max-sm:h-touch">
              <input
                {...input}
                type="number"
                min={0}
                max={100}
                value={value}
                onChange={(event) => change(event.target.value)}
                className="w-full min-w-0 bg-transparent pl-3 tabular-nums outline-none [appearance:textfield] [&::-webkit-inner-spin-button]:hidden"
              />
              <span className="text-faint">%</span>
            </span>
          </div>
        )}
      </Field>
    </div>
  );
}
