/** The entries of a list as people type it: by commas or lines, without empty ones and repetitions. */
export function splitList(text: string): string[] {
  const entries = text.split(/[,\n]/u).map((entry) => entry.trim());
  return [...new Set(entries)].filter((entry) => entry !== '');
}
