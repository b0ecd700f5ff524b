// What is copied to be read, run or stored elsewhere. Pure: nothing of the session gets into it.
import type { Event, Toggle } from '@/api/generated/types';
import { describeEvent, describeEventChanges, getEventName } from './describeEvent';
import { describeStrategy } from './describeStrategy';

interface Call {
  path: string;
  method?: string;
  body?: unknown;
}

/** The call as a command of a POSIX shell, against where the console is served. */
export function toCurl(base: string, { path, method, body }: Call): string {
  const parts = [
    `toCurl ${method === undefined ? '' : `-X ${method} `}${quoted(new URL(path, base).href)}`,
    `-H ${quoted('Accept: application/json')}`,
    ...(method === undefined ? [] : [`-H ${quoted('Content-Type: application/json')}`]),
    ...(body === undefined ? [] : [`--data-raw ${quoted(JSON.stringify(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Nothing has a meaning between single quotes but the single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Text that means itself, on one line. */
function plain(text: string | null): string {
  return (text ?? '').replaceAll(/[\\`*_[\]<>|#]/gu, String.raw`\$&`).replaceAll(/\s+/gu, ' ');
}

export const formatYesNo = (value: boolean) => (value ? 'yes' : 'no');

/** What a list in words tells of each of its items. */
export interface CopyColumn<Item> {
  head: string;
  text: (item: Item) => string | null | undefined;
  /** Where it leads, if anywhere. */
  address?: (item: Item) => string;
}

/** A table. */
export function toMarkdownTable<Item>(items: readonly Item[], columns: readonly CopyColumn<Item>[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = items.map((item) =>
    line(
      columns.map(({ text, address }) => {
        const words = plain(text(item) ?? '');
        return address ? `[${words}](${address(item)})` : words;
      }),
    ),
  );
  return [line(columns.map(({ head }) => head)), line(columns.map(() => '---')), ...rows].join('\n');
}

export function togglesToMarkdown(toggles: readonly Toggle[], address: (toggle: Toggle) => string): string {
  return toMarkdownTable(toggles, [
    { head: 'Toggle', text: ({ name }) => name, address },
    { head: 'Enabled', text: ({ enabled }) => formatYesNo(enabled) },
    { head: 'Stale', text: ({ stale }) => formatYesNo(stale) },
    { head: 'Type', text: ({ type }) => type },
    { head: 'Description', text: ({ description }) => description },
  ]);
}

export function toggleToMarkdown(toggle: Toggle, address: string): string {
  const { name, description, enabled, stale, type, project, strategies, variants } = toggle;
  const lines = [
    `- Enabled: ${formatYesNo(enabled)}`,
    `- Stale: ${formatYesNo(stale)}`,
    `- Type: ${plain(type)}`,
    `- Project: ${plain(project)}`,
    ...strategies.map((strategy) => {
      const summary = describeStrategy(strategy);
      return `- Strategy: ${plain(strategy.name)}${summary && ` (${plain(summary)})`}`;
    }),
    ...(variants ?? []).map(({ name: variant, weight }) => `- Variant: ${plain(variant)} (${weight / 10} %)`),
  ];
  return [`### [${plain(name)}](${address})`, ...(description ? [plain(description)] : []), lines.join('\n')].join(
    '\n\n',
  );
}

export function eventToMarkdown(event: Event, address: string): string {
  const { id, createdAt, createdBy } = event;
  const what = `**${plain(describeEvent(event))}**: ${plain(getEventName(event))}`;
  const changes = describeEventChanges(event).flatMap(({ subject, changes: words }) =>
    words.map((line) => `- ${plain(subject)}: ${plain(line)}`),
  );
  return [`${what}, by ${plain(createdBy)} at ${createdAt} ([event ${id}](${address}))`, ...changes].join('\n');
}

export function eventsToMarkdown(events: readonly Event[], address: (event: Event) => string): string {
  return events.map((event) => eventToMarkdown(event, address(event))).join('\n\n');
}
