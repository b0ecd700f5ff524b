import type { Override } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import { ChipsField } from '@/ui/ChipsField';
import { fieldLabelClass } from '@/ui/fieldClass';
import { IconButton } from '@/ui/IconButton';
import { AddIcon, RemoveIcon } from '@/ui/icons';
import { SelectField } from '@/ui/SelectField';
import { addOverride, overrideContexts, type VariantInput } from './variantForm';

interface Props {
  input: VariantInput;
  /** Error of each override without values. */
  error: string | undefined;
  onChange: (input: VariantInput) => void;
}

/** Context values that always get the variant, regardless of weights. */
export function OverridesField({ input, error, onChange }: Props) {
  const change = (key: number, override: Override) =>
    onChange({ ...input, overrides: input.overrides.map((one) => (one.key === key ? { key, override } : one)) });
  const remove = (key: number) => onChange({ ...input, overrides: input.overrides.filter((one) => one.key !== key) });
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className={cx(fieldLabelClass, 'mb-1.5')}>Overrides</legend>
      {input.overrides.length === 0 && <p className="text-muted text-secondary">No overrides</p>}
      {input.overrides.map(({ key, override }) => (
        <div key={key} className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 rounded-control bg-sunken p-3">
          <SelectField
            label="Context field"
            value={override.contextName}
            options={[...new Set([...overrideContexts, override.contextName])].map((value) => ({
              value,
              label: value,
            }))}
            onChange={(contextName) => change(key, { ...override, contextName })}
          />
          <IconButton
            label={`Remove override of ${override.contextName}`}
            icon={<RemoveIcon />}
            className="self-end"
            onClick={() => remove(key)}
          />
          <div className="col-span-2">
            <ChipsField
              label="Values"
              required
              entries={override.values}
              error={override.values.length === 0 ? error : undefined}
              onChange={(values) => change(key, { ...override, values })}
            />
          </div>
        </div>
      ))}
      <Button
        size="small"
        className="justify-self-start"
        icon={<AddIcon size={14} />}
        onClick={() => onChange(addOverride(input))}
      >
        Add override
      </Button>
    </fieldset>
  );
}
