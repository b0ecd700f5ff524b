import { useServerEnvironment } from '@/api/environment';

/** The row of a toggle without strategies, which only newer servers allow. */
export function NoStrategies() {
  const environment = useServerEnvironment();
  return (
    <div className="px-4 py-5 text-center">
      <p className="font-semibold">No strategies in {environment?.name ?? 'this environment'}</p>
      <p className="mt-1 text-pretty text-muted text-secondary">
        Add a strategy to choose who gets the feature. Switching the toggle on without one adds a rollout to 100&nbsp;%
        of users.
      </p>
    </div>
  );
}
