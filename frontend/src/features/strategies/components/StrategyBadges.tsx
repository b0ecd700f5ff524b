import type { StrategyDefinition } from '@/api/generated/types';
import { Chip } from '@/ui/Chip';

/** What sets a definition apart from the others. */
export function StrategyBadges({ definition: { editable, deprecated } }: { definition: StrategyDefinition }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {!editable && <Chip>Built-in</Chip>}
      {deprecated && <Chip tone="warn">Deprecated</Chip>}
    </span>
  );
}
