import { useServerEnvironment } from '@/api/environment';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { StrategyIcon } from '@/ui/icons';

/** Shown instead of the cards of a toggle without strategies, which only newer servers allow. */
export function NoStrategies() {
  const environment = useServerEnvironment();
  return (
    <Card>
      <EmptyState
        icon={<StrategyIcon size={20} />}
        title={`No strategies in ${environment?.name ?? 'this environment'}`}
      >
        Add a strategy to choose who gets the feature. Switching the toggle on without one adds a rollout to 100&nbsp;%
        of users.
      </EmptyState>
    </Card>
  );
}
