/** Default maximum length of texts in tables. */
export const MAX_TEXT_LENGTH = 50;

export function truncate(text: string, length = MAX_TEXT_LENGTH): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
