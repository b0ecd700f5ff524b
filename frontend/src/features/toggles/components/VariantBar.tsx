import type { Variant } from '@/api/generated/types';
import { unassigned, weightText } from '../variantWeights';
import { variantColour } from './variantColour';

/** Who gets which share, side by side; what equal whole shares leave over is said, because it looks like a mistake. */
export function VariantBar({ variants }: { variants: readonly Variant[] }) {
  const rest = unassigned(variants);
  const words = variants.map(({ name, weight }) => `${name} ${weightText(weight)} %`).join(', ');
  return (
    <div className="grid gap-1.5">
      <div role="img" aria-label={`Distribution: ${words}`} className="flex h-3 gap-0.5 overflow-hidden rounded-full">
        {variants.map(({ name, weight }, index) => (
          <span
            key={name}
            title={`${name} ${weightText(weight)} %`}
            className={variantColour(index)}
            style={{ flexGrow: weight, flexBasis: 0 }}
          />
        ))}
        {rest > 0 && <span className="bg-line" style={{ flexGrow: rest, flexBasis: 0 }} />}
      </div>
      {rest > 0 && (
        <p className="text-muted text-secondary">
          {weightText(rest)} % is left over: equal shares are whole tenths of a percent, and nobody gets the rest.
        </p>
      )}
    </div>
  );
}
