import type { Variant } from '@/api/generated/types';
import { SegmentedControl } from '@/ui/SegmentedControl';
import { TextField } from '@/ui/TextField';
import type { VariantInput } from '../variantForm';
import { parseWeight, shareWeights, weightText } from '../variantWeights';

interface Props {
  input: VariantInput;
  others: readonly Variant[];
  error: string | undefined;
  onChange: (input: VariantInput) => void;
}

/** Set by hand, or an equal part of what those that are leave. */
export function WeightField({ input, others, error, onChange }: Props) {
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
      <p className="text-muted text-secondary">{shareWords(input, others)}</p>
    </div>
  );
}

/** What the weights become; a form half filled in has no say yet. */
function shareWords({ weightType, weight }: VariantInput, others: readonly Variant[]): string {
  const parsed = weightType === 'fix' ? parseWeight(weight).weight : 0;
  if (parsed === undefined) return 'Variable variants share equally what the fixed ones leave.';
  try {
    const shared = shareWeights([...others, { name: '', weightType, weight: parsed }]);
    const share = shared.find((one) => one.weightType !== 'fix')?.weight ?? 0;
    return `Variable variants share equally what the fixed ones leave: ${weightText(share)} % each.`;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}
