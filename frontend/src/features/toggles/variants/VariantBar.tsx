import type { Variant } from '@/api/generated/types';
import { variantColour } from './variantColour';
import { formatWeight, getUnassignedWeight } from './variantWeights';

/** Bar chart of the variants' weights, with a note about the weight left over by rounding. */
export function VariantBar({ variants }: { variants: readonly Variant[] }) {
  const rest = getUnassignedWeight(variants);
  const words = variants.map(({ name, weight }) => `${name} ${formatWeight(weight)} %`).join(', ');
  return (
    <div className="grid gap-1.5">
      <div role="img" aria-label={`Distribution: ${words}`} className="flex h-3 gap-0.5 overflow-hidden rounded-full">
        {variants.map(({ name, weight }, index) => (
          <span
            key={name}
            title={`${name} ${formatWeight(weight)} %`}
            className={variantColour(index)}
            style={{ flexGrow: weight, flexBasis: 0 }}
          />
        ))}
        {rest > 0 && <span className="bg-line" style={{ flexGrow: rest, flexBasis: 0 }} />}
      </div>
      {rest > 0 && (
        <p className="text-muted text-secondary">{formatWeight(rest)} % unassigned (weights are rounded down)</p>
      )}
    </div>
  );
}
