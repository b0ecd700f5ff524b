import { type ReactNode, useId } from 'react';
import type { Override, Toggle, Variant } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { formatPercentage } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import type { Prompt } from '@/lib/prompt';
import { RequestedFocus, useFocusRequest, useRequestedFocus } from '@/lib/requestedFocus';
import { useStore } from '@/lib/store';
import { bindFields, type FormFields, useForm } from '@/shared/useForm';
import { Button } from '@/ui/Button';
import { ChipsField } from '@/ui/ChipsField';
import { fieldLabelClass } from '@/ui/fieldClass';
import { IconButton } from '@/ui/IconButton';
import { AddIcon, JsonIcon, RemoveIcon } from '@/ui/icons';
import { PromptDialog } from '@/ui/PromptDialog';
import { SegmentedControl } from '@/ui/SegmentedControl';
import { SelectField } from '@/ui/Select';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { getVariants, throwVariantFailure } from './useVariants';
import {
  addOverride,
  formatJson,
  overrideContexts,
  payloadTypes,
  toVariant,
  toVariantInput,
  type VariantInput,
  validateVariant,
} from './variantForm';
import { distributeWeights, parseWeight } from './variantWeights';

/** A variant to edit. */
export interface VariantEdit {
  /** The toggle when editing began. */
  base: Toggle;
  /** Absent for a new variant. */
  variant?: Variant;
}

interface Props extends VariantEdit {
  prompt: Prompt<VariantEdit>;
  /** Stickiness of all variants. */
  stickiness: string;
  put: (base: Toggle, variant: Variant, oldName: string | undefined) => Promise<boolean>;
  conflict: ReactNode;
}

export function VariantDialog({ prompt, base, variant, stickiness, put, conflict }: Props) {
  const id = useId();
  const others = getVariants(base).filter(({ name }) => name !== variant?.name);
  const { formProps, fieldsProps, fields, bind } = useForm({
    start: toVariantInput(variant),
    rules: (typed) => validateVariant(typed, others),
    save: (typed) =>
      prompt.run(async () => {
        const stored = await put(base, toVariant(typed, variant, stickiness), variant?.name).catch(
          throwVariantFailure('add'),
        );
        return stored ? true : undefined;
      }),
    // The form stays while the dialog closes.
    guardsLeave: useStore(prompt.store)?.open ?? false,
  });

  return (
    <PromptDialog
      prompt={prompt}
      title={variant ? `Edit ${variant.name}` : 'Add variant'}
      submitLabel="Save"
      onSubmit={{ form: id }}
    >
      <form {...formProps} id={id}>
        <fieldset {...fieldsProps} className="grid min-w-0 gap-4">
          <TextField label="Name" required autoComplete="off" spellCheck={false} {...bind('name')} />
          <WeightField {...fields} others={others} />
          <PayloadField {...fields} />
          <OverridesField {...fields} />
        </fieldset>
      </form>
      {conflict}
    </PromptDialog>
  );
}

/** Context values that always get the variant, regardless of weights. */
function OverridesField({ input, errors, onChange }: FormFields<VariantInput>) {
  const change = (key: number, override: Override) =>
    onChange({ ...input, overrides: input.overrides.map((one) => (one.key === key ? { key, override } : one)) });
  const [focusRequest, requestFocus] = useFocusRequest();
  function add() {
    const next = addOverride(input);
    onChange(next);
    const added = next.overrides.at(-1);
    if (added) requestFocus(toPart(added.key));
  }
  const remove = (key: number) => onChange({ ...input, overrides: input.overrides.filter((one) => one.key !== key) });
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className={cx(fieldLabelClass, 'mb-1.5')}>Overrides</legend>
      {input.overrides.length === 0 && <p className="text-muted text-secondary">No overrides</p>}
      <RequestedFocus value={focusRequest}>
        <div className="grid gap-3 empty:hidden">
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
              <FocusPart part={toPart(key)}>
                <ChipsField
                  label="Values"
                  required
                  entries={override.values}
                  error={override.values.length === 0 ? errors.overrides : undefined}
                  onChange={(values) => change(key, { ...override, values })}
                />
              </FocusPart>
            </div>
          ))}
        </div>
      </RequestedFocus>
      <Button size="small" className="justify-self-start" icon={<AddIcon size={14} />} onClick={add}>
        Add override
      </Button>
    </fieldset>
  );
}

/** Name of the values of an override for the focus. */
const toPart = (key: number) => `override ${key}`;

function FocusPart({ part, children }: { part: string; children: ReactNode }) {
  return (
    <div ref={useRequestedFocus<HTMLDivElement>(part)} className="col-span-2">
      {children}
    </div>
  );
}

function PayloadField(fields: FormFields<VariantInput>) {
  const { input, onChange } = fields;
  const bind = bindFields(fields);
  return (
    <div className="grid gap-3 sm:grid-cols-[120px_minmax(0,1fr)]">
      <div className="grid content-start gap-2">
        <SelectField
          label="Payload type"
          options={[...new Set([...payloadTypes, input.payloadType])].map((value) => ({ value, label: value }))}
          {...bind('payloadType')}
        />
        {input.payloadType === 'json' && (
          <Button
            size="small"
            icon={<JsonIcon size={14} />}
            onClick={() => onChange({ ...input, payloadValue: formatJson(input.payloadValue) })}
          >
            Format
          </Button>
        )}
      </div>
      <TextArea label="Payload" rows={2} spellCheck={false} className="font-mono" {...bind('payloadValue')} />
    </div>
  );
}

interface WeightFieldProps extends FormFields<VariantInput> {
  others: readonly Variant[];
}

/** Weight of a variant: fixed, or variable, which is an equal share of the remaining weight. */
function WeightField({ others, ...fields }: WeightFieldProps) {
  const { input } = fields;
  const bind = bindFields(fields);
  const locale = useLocale();
  const fixed = input.weightType === 'fix';
  return (
    <div className="grid gap-3">
      <SegmentedControl
        label="Weight type"
        options={[
          { value: 'variable', label: 'Variable weight' },
          { value: 'fix', label: 'Fixed weight' },
        ]}
        {...bind('weightType')}
      />
      {fixed && (
        <TextField
          label="Weight in percent"
          inputMode="decimal"
          autoComplete="off"
          required
          className="max-w-32"
          {...bind('weight')}
        />
      )}
      <p className="text-muted text-secondary">{describeVariableWeight(input, others, locale)}</p>
    </div>
  );
}

/** Describes the resulting weight of variable variants, once the typed weight is valid. */
function describeVariableWeight(
  { weightType, weight }: VariantInput,
  others: readonly Variant[],
  locale: string,
): string {
  const parsed = weightType === 'fix' ? parseWeight(weight).weight : 0;
  if (parsed === undefined) return 'Variable variants share the remaining weight equally.';
  try {
    const shared = distributeWeights([...others, { name: '', weightType, weight: parsed }]);
    const share = shared.find((one) => one.weightType !== 'fix')?.weight ?? 0;
    return `Variable variants share the remaining weight equally: ${formatPercentage(share / 10, locale)} each.`;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}
