import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from '@/lib/cx';
import { Field, type FieldText } from './Field';
import { fieldLabelClass, inputClass } from './fieldClass';
import { ChevronDownIcon } from './icons';

export interface Option<T extends string> {
  value: T;
  label: string;
  /** Heading above the options of a group, which follow one another. */
  group?: string;
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
  hideLabel?: boolean;
  icon?: ReactNode;
}

/** Select with a label. */
export function Select<T extends string>({ label, value, options, onChange, hideLabel, icon }: SelectProps<T>) {
  const id = useId();
  return (
    <span className="inline-flex min-w-0 flex-col gap-1.5">
      {!hideLabel && (
        <label htmlFor={id} className={fieldLabelClass}>
          {label}
        </label>
      )}
      <NativeSelect
        id={id}
        aria-label={hideLabel ? label : undefined}
        value={value}
        options={options}
        onChange={onChange}
        icon={icon}
        className="font-semibold shadow-card"
      />
    </span>
  );
}

interface NativeSelectProps<T extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
  icon?: ReactNode;
}

/** The browser's `<select>`, styled. */
function NativeSelect<T extends string>({ value, options, onChange, icon, className, ...rest }: NativeSelectProps<T>) {
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <span className="relative flex min-w-0 items-center">
      {icon && <span className="pointer-events-none absolute left-3 flex text-muted">{icon}</span>}
      <select
        {...rest}
        value={value}
        onChange={(event) => choose(event.target.value)}
        className={cx(
          inputClass,
          'cursor-pointer truncate pr-8 [overflow-clip-margin:content-box]',
          icon !== undefined && 'pl-9',
          className,
        )}
      >
        {groupOptions(options).map(([group, members]) => {
          const items = members.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ));
          return group === undefined ? (
            items
          ) : (
            <optgroup key={group} label={group}>
              {items}
            </optgroup>
          );
        })}
      </select>
      <ChevronDownIcon className="pointer-events-none absolute right-2.5" />
    </span>
  );
}

function groupOptions<T extends string>(options: readonly Option<T>[]): [string | undefined, Option<T>[]][] {
  const groups = [...new Set(options.map(({ group }) => group))];
  return groups.map((group) => [group, options.filter((option) => option.group === group)]);
}

interface SelectFieldProps<T extends string> extends FieldText {
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
}

export function SelectField<T extends string>({ value, options, onChange, ...text }: SelectFieldProps<T>) {
  return (
    <Field {...text}>
      {(control) => <NativeSelect {...control} value={value} options={options} onChange={onChange} />}
    </Field>
  );
}
