/** Shades of the accent colour, because other colours have meanings. Names are always shown beside them. */
const SHADES = ['bg-accent', 'bg-accent/60', 'bg-accent/30', 'bg-accent/80', 'bg-accent/45', 'bg-accent/15'] as const;

/** Returns the background class of the variant at `index`. */
export function variantColour(index: number): string {
  return SHADES[index % SHADES.length] ?? SHADES[0];
}
