/** Number of variant colours in `styles.css`. More variants repeat them; names are always shown beside the colours. */
export const VARIANT_COLOURS = 8;

/**
 * Returns the colour of the variant at `index`. Colours belong to positions, not to names: neighbours then differ for
 * colour-blind users too, and no two of the first eight are the same.
 */
export function variantColour(index: number): string {
  return `var(--variant-${(index % VARIANT_COLOURS) + 1})`;
}
