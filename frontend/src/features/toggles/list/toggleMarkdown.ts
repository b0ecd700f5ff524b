import type { Toggle } from '@/api/generated/types';
import { describeRule } from '@/domain/strategies/ruleSentence';
import type { SegmentName } from '@/domain/strategies/useSegmentName';
import { escapeMarkdown } from '@/lib/copyFormats';
import { formatYesNo, withPercentSign } from '@/lib/format';

export function toggleToMarkdown(toggle: Toggle, href: string, segmentName?: SegmentName): string {
  const { name, description, enabled, stale, type, project, strategies, variants } = toggle;
  const lines = [
    `- Enabled: ${formatYesNo(enabled)}`,
    `- Stale: ${formatYesNo(stale)}`,
    `- Type: ${escapeMarkdown(type)}`,
    `- Project: ${escapeMarkdown(project)}`,
    ...strategies.map(
      (strategy) =>
        `- Strategy: ${escapeMarkdown(strategy.name)} (${escapeMarkdown(describeRule(strategy, { segmentName }))})`,
    ),
    ...(variants ?? []).map(
      ({ name: variant, weight }) => `- Variant: ${escapeMarkdown(variant)} (${withPercentSign(weight / 10)})`,
    ),
  ];
  return [
    `### [${escapeMarkdown(name)}](${href})`,
    ...(description ? [escapeMarkdown(description)] : []),
    lines.join('\n'),
  ].join('\n\n');
}
