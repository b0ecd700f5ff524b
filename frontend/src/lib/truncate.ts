const DEFAULT_LENGTH = 50;

export function truncate(text: string, length = DEFAULT_LENGTH): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
