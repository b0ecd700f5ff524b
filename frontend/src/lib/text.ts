/** Phrase for the rest of a list of which only `max` items are shown, such as `and 3 more`; empty without a rest. */
export function andMore(items: readonly unknown[], max: number): string {
  const more = items.length - max;
  return more > 0 ? `and ${more} more` : '';
}

/** Joins the first texts, such as `a, b and 3 more`. */
export function joinFirst(texts: readonly string[], max: number): string {
  return `${texts.slice(0, max).join(', ')} ${andMore(texts, max)}`.trimEnd();
}

/** Removes white space, which names and ids cannot contain. */
export function removeSpaces(text: string): string {
  return text.replace(/\s/gu, '');
}

/** Splits text at commas and line breaks, without empty entries and duplicates. */
export function splitList(text: string): string[] {
  const entries = text.split(/[,\n]/u).map((entry) => entry.trim());
  return [...new Set(entries)].filter((entry) => entry !== '');
}

/** Default maximum length of texts in tables. */
export const MAX_TEXT_LENGTH = 50;

export function truncate(text: string, length = MAX_TEXT_LENGTH): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Returns the text with a capital first letter. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
