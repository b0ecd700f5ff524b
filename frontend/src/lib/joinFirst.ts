/** Phrase for the rest of a list of which only `max` items are shown, such as `and 3 more`; empty without a rest. */
export function andMore(items: readonly unknown[], max: number): string {
  const more = items.length - max;
  return more > 0 ? `and ${more} more` : '';
}

/** Joins the first texts, such as `a, b and 3 more`. */
export function joinFirst(texts: readonly string[], max: number): string {
  return `${texts.slice(0, max).join(', ')} ${andMore(texts, max)}`.trimEnd();
}
