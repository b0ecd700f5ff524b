// Formats data for the clipboard as JSON, curl or Markdown. The output contains no session data.
import type { Event, Toggle } from '@/api/generated/types';
import { describeEvent, describeEventChanges, getEventName } from '@/domain/events/describeEvent';
import { describeStrategy } from '@/domain/strategies/describeStrategy';

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

export function togglesToMarkdown(toggles: readonly Toggle[], href: (toggle: Toggle) => string): string {
  return toMarkdownTable(toggles, [
    { header: 'Toggle', text: ({ name }) => name, href },
    { header: 'Enabled', text: ({ enabled }) => formatYesNo(enabled) },
    { header: 'Stale', text: ({ stale }) => formatYesNo(stale) },
    { header: 'Type', text: ({ type }) => type },
    { header: 'Description', text: ({ description }) => description },
  ]);
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
