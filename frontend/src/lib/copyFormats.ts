// Formats data for the clipboard as JSON, curl or Markdown. The output contains no session data.
import type { Event, Toggle } from '@/api/generated/types';
import { describeEvent, describeEventChanges, getEventName } from './describeEvent';
import { describeStrategy } from './describeStrategy';
import { formatYesNo } from './format';
import type { ListColumn } from './listColumn';

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
function escapeMarkdown(text: string | null): string {
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

export function toggleToMarkdown(toggle: Toggle, href: string): string {
  const { name, description, enabled, stale, type, project, strategies, variants } = toggle;
  const lines = [
    `- Enabled: ${formatYesNo(enabled)}`,
    `- Stale: ${formatYesNo(stale)}`,
    `- Type: ${escapeMarkdown(type)}`,
    `- Project: ${escapeMarkdown(project)}`,
    ...strategies.map((strategy) => {
      const summary = describeStrategy(strategy);
      return `- Strategy: ${escapeMarkdown(strategy.name)}${summary && ` (${escapeMarkdown(summary)})`}`;
    }),
    ...(variants ?? []).map(({ name: variant, weight }) => `- Variant: ${escapeMarkdown(variant)} (${weight / 10} %)`),
  ];
  return [
    `### [${escapeMarkdown(name)}](${href})`,
    ...(description ? [escapeMarkdown(description)] : []),
    lines.join('\n'),
  ].join('\n\n');
}

export function eventToMarkdown(event: Event, href: string): string {
  const { id, createdAt, createdBy } = event;
  const headline = `**${escapeMarkdown(describeEvent(event))}**: ${escapeMarkdown(getEventName(event))}`;
  const changes = describeEventChanges(event).flatMap(({ subject, changes: lines }) =>
    lines.map((line) => `- ${escapeMarkdown(subject)}: ${escapeMarkdown(line)}`),
  );
  return [`${headline}, by ${escapeMarkdown(createdBy)} at ${createdAt} ([event ${id}](${href}))`, ...changes].join(
    '\n',
  );
}

export function eventsToMarkdown(events: readonly Event[], href: (event: Event) => string): string {
  return events.map((event) => eventToMarkdown(event, href(event))).join('\n\n');
}
