import type { Variant } from '@/api/generated/types';
import { formatPercentage } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { SegmentedControl } from '@/ui/SegmentedControl';
import { TextField } from '@/ui/TextField';
import type { VariantInput } from './variantForm';
import { distributeWeights, parseWeight } from './variantWeights';

interface Props {
  input: VariantInput;
  others: readonly Variant[];
  error: string | undefined;
  onChange: (input: VariantInput) => void;
}

/** Weight of a variant: fixed, or variable, which is an equal share of the remaining weight. */
export function WeightField({ input, others, error, onChange }: Props) {
  const locale = useLocale();
  const fixed = input.weightType === 'fix';
  return (
    <div className="grid gap-3">
      <SegmentedControl
        label="Weight type"
        value={input.weightType}
        options={[
          { value: 'variable', label: 'Variable weight' },
          { value: 'fix', label: 'Fixed weight' },
        ]}
        onChange={(weightType) => onChange({ ...input, weightType })}
      />
      {fixed && (
        <TextField
          label="Weight in percent"
          inputMode="decimal"
          autoComplete="off"
          required
          className="max-w-32"
          value={input.weight}
          error={error}
          onChange={(weight) => onChange({ ...input, weight })}
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
