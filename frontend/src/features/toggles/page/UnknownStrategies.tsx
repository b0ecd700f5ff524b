import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { StrategyIcon } from '@/ui/icons';

/** Shown instead of the strategies and the variants of an archived toggle on a newer server. */
export function UnknownStrategies() {
  return (
    <Card>
      <EmptyState icon={<StrategyIcon size={20} />} title="Strategies and variants are not in the archive list">
        This server lists archived toggles without them. Revive the toggle to see and change them.
      </EmptyState>
    </Card>
  );
}
