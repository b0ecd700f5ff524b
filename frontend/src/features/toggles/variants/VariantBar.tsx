import type { Variant } from '@/api/generated/types';
import { formatPercentage } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { variantColour } from './variantColour';
import { getUnassignedWeight } from './variantWeights';

/** Bar chart of the variants' weights, with a note about the weight left over by rounding. */
export function VariantBar({ variants }: { variants: readonly Variant[] }) {
  const rest = getUnassignedWeight(variants);
  const locale = useLocale();
  const words = variants.map(({ name, weight }) => `${name} ${formatPercentage(weight / 10, locale)}`);
  return (
    <div className="grid gap-1.5">
      <div role="img" aria-label={`Distribution: ${words.join(', ')}`} className="flex gap-0.5">
        {variants.map(({ name, weight }, index) => (
          <span
            key={name}
            title={words[index]}
            className="grid min-w-0 gap-1"
            style={{ flexGrow: weight, flexBasis: 0 }}
          >
            <span className={SEGMENT} style={{ background: variantColour(index) }} />
            <span className="truncate text-label text-muted">{name}</span>
          </span>
        ))}
        {rest > 0 && <span className="h-3 rounded-chip bg-line" style={{ flexGrow: rest, flexBasis: 0 }} />}
      </div>
      {rest > 0 && (
        <p className="text-muted text-secondary">
          {formatPercentage(rest / 10, locale)} unassigned (weights are rounded down)
        </p>
      )}
    </div>
  );
}

const SEGMENT = 'h-3 min-w-0 rounded-chip';
