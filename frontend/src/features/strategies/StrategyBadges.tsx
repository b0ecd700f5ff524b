import type { StrategyDefinition } from '@/api/generated/types';
import { Chip } from '@/ui/Chip';

/** Chips with the state of a strategy definition. */
export function StrategyBadges({ definition: { editable, deprecated } }: { definition: StrategyDefinition }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {!editable && <Chip>Built-in</Chip>}
      {deprecated && <Chip tone="warn">Deprecated</Chip>}
    </span>
  );
}
