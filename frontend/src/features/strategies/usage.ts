// Usage of a strategy: the toggles that have it and the applications that implement it.
import type { SeenApp, Toggle } from '@/api/generated/types';

export interface ApplicationWithoutStrategy {
  readonly appName: string;
  /** Toggles with the strategy that the application requests: the strategy is off for it. */
  readonly requestedToggles: readonly string[];
}

export function togglesUsingStrategy(strategyName: string, toggles: readonly Toggle[]): Toggle[] {
  return toggles.filter(({ strategies }) => strategies.some(({ name }) => name === strategyName));
}

/** True if the application reports the strategy. Old servers send null for an application that never registered. */
export function implementsStrategy(
  strategyName: string,
  { strategies }: { strategies: readonly string[] | null },
): boolean {
  return strategies?.includes(strategyName) ?? false;
}

/** Applications that do not implement the strategy, first those that request a toggle with it. */
export function applicationsWithout(
  strategyName: string,
  applications: readonly SeenApp[],
  using: readonly Toggle[],
  seenApps: { readonly [toggleName: string]: readonly SeenApp[] },
): ApplicationWithoutStrategy[] {
  const lacking = applications
    .filter((application) => !implementsStrategy(strategyName, application))
    .map(({ appName }) => ({
      appName,
      requestedToggles: using.map(({ name }) => name).filter((name) => hasRequested(appName, name)),
    }));
  function hasRequested(appName: string, toggleName: string): boolean {
    return (
      Object.hasOwn(seenApps, toggleName) && (seenApps[toggleName]?.some((one) => one.appName === appName) ?? false)
    );
  }
  return [
    ...lacking.filter(({ requestedToggles }) => requestedToggles.length > 0),
    ...lacking.filter(({ requestedToggles }) => requestedToggles.length === 0),
  ];
}
