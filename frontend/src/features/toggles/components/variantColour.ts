/** Shades of one colour, since the others mean something. The names stand beside them. */
const SHADES = ['bg-accent', 'bg-accent/60', 'bg-accent/30', 'bg-accent/80', 'bg-accent/45', 'bg-accent/15'] as const;

/** The background of the variant in that place, the same wherever it is drawn. */
export function variantColour(index: number): string {
  return SHADES[index % SHADES.length] ?? SHADES[0];
}
