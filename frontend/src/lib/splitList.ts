/** Splits text at commas and line breaks, without empty entries and duplicates. */
export function splitList(text: string): string[] {
  const entries = text.split(/[,\n]/u).map((entry) => entry.trim());
  return [...new Set(entries)].filter((entry) => entry !== '');
}
