// Formats data for the clipboard as JSON, curl or Markdown. The output contains no session data.

interface Call {
  path: string;
  method?: string;
  body?: unknown;
}

/** Returns the call as a curl command for a POSIX shell, with URLs relative to `base`. */
export function toCurl(base: string, { path, method, body }: Call): string {
  const parts = [
    `curl ${method === undefined ? '' : `-X ${method} `}${quoted(new URL(path, base).href)}`,
    `-H ${quoted('Accept: application/json')}`,
    ...(method === undefined ? [] : [`-H ${quoted('Content-Type: application/json')}`]),
    ...(body === undefined ? [] : [`--data-raw ${quoted(JSON.stringify(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Quotes text for a POSIX shell: within single quotes, only the single quote needs escaping. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Escapes Markdown and joins lines. */
export function escapeMarkdown(text: string | null): string {
  return (text ?? '').replaceAll(/[\\`*_[\]<>|#]/gu, String.raw`\$&`).replaceAll(/\s+/gu, ' ');
}

export const formatYesNo = (value: boolean) => (value ? 'yes' : 'no');

/** A column of a copied Markdown table. */
export interface CopyColumn<Item> {
  header: string;
  text: (item: Item) => string | null | undefined;
  /** Link of the cell. */
  href?: (item: Item) => string;
}

export function toMarkdownTable<Item>(items: readonly Item[], columns: readonly CopyColumn<Item>[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = items.map((item) =>
    line(
      columns.map(({ text, href }) => {
        const content = escapeMarkdown(text(item) ?? '');
        return href ? `[${content}](${href(item)})` : content;
      }),
    ),
  );
  return [line(columns.map(({ header }) => header)), line(columns.map(() => '---')), ...rows].join('\n');
}
