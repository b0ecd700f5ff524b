// Formats data for the clipboard as JSON, curl or Markdown. The output contains no session data.

import type { ListColumn } from './listColumn';

interface Call {
  path: string;
  method?: string;
  body?: unknown;
  /** Environment of a newer server. */
  environment?: string | undefined;
}

/** Returns the call as a curl command for a POSIX shell, with URLs relative to `base`. */
export function toCurl(base: string, { path, method, body, environment }: Call): string {
  const parts = [
    `curl ${method === undefined ? '' : `-X ${method} `}${quoted(new URL(path, base).href)}`,
    `-H ${quoted('Accept: application/json')}`,
    ...(environment === undefined ? [] : [`-H ${quoted(`Flagdeck-Environment: ${environment}`)}`]),
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

/** Formats the copied columns of a list as a Markdown table. `toUrl` returns the absolute URL of a path. */
export function toMarkdownTable<Item>(
  items: readonly Item[],
  columns: readonly ListColumn<Item>[],
  toUrl: (path: string) => string,
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const copied = columns.filter(({ copy }) => copy);
  const rows = items.map((item) =>
    line(
      copied.map(({ copy, href }) => {
        const content = escapeMarkdown(copy?.(item) ?? '');
        return href ? `[${content}](${toUrl(href(item))})` : content;
      }),
    ),
  );
  const headers = copied.map(({ header, copyHeader = header }) => copyHeader);
  return [line(headers), line(copied.map(() => '---')), ...rows].join('\n');
}
