import type { Toggle } from '@/api/generated/types';
import { describeStrategy } from '@/domain/strategies/describeStrategy';
import { escapeMarkdown, formatYesNo, toMarkdownTable } from '@/lib/copyFormats';

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
