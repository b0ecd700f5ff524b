// Reads the usage of a strategy. Each list loads and fails on its own.
import { applications, applicationsUsing, archivedFeatures, seenApps } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useTogglesWithStrategies } from '@/api/reads';
import {
  type ApplicationWithoutStrategy,
  applicationsWithout,
  implementsStrategy,
  togglesUsingStrategy,
} from './usage';

interface UsageResult<Item> {
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  error: Error | undefined;
  reload: () => void;
}

export interface ToggleWithState extends Pick<Toggle, 'name' | 'enabled'> {
  isArchived: boolean;
}

export function useTogglesUsing(strategyName: string): UsageResult<ToggleWithState> {
  const live = useTogglesWithStrategies();
  const archive = useRead(archivedFeatures);
  const failed = [live, archive].find(({ data, error }) => error && !data);
  return {
    items: live.data &&
      archive.data && [
        ...togglesUsingStrategy(strategyName, live.data.features).map((toggle) => ({ ...toggle, isArchived: false })),
        ...togglesUsingStrategy(strategyName, archive.data.features).map((toggle) => ({ ...toggle, isArchived: true })),
      ],
    error: failed?.error,
    reload: () => {
      live.reload();
      archive.reload();
    },
  };
}

export function useApplicationsUsing(strategyName: string): UsageResult<string> {
  const filtered = useRead(applicationsUsing(strategyName));
  const all = useRead(applications);
  // Version 3.17 fails on the filtered request if there is any application; the whole list has the same data.
  const data = filtered.data ?? (filtered.error && all.data);
  return {
    items: data?.applications.filter((app) => implementsStrategy(strategyName, app)).map(({ appName }) => appName),
    error: data ? undefined : all.error,
    reload: () => {
      filtered.reload();
      all.reload();
    },
  };
}

interface WithoutResult extends UsageResult<ApplicationWithoutStrategy> {
  /** False if the server does not report which toggles an application uses. */
  hasToggles: boolean;
}

export function useApplicationsWithout(strategyName: string): WithoutResult {
  const all = useRead(applications);
  const live = useTogglesWithStrategies();
  // Optional: without it the list of applications is still complete.
  const seen = useRead(seenApps);
  const failed = [all, live].find(({ data, error }) => error && !data);
  const using = live.data && togglesUsingStrategy(strategyName, live.data.features);
  return {
    items: all.data && using && applicationsWithout(strategyName, all.data.applications, using, seen.data ?? {}),
    error: failed?.error,
    hasToggles: !seen.error,
    reload: () => {
      all.reload();
      live.reload();
    },
  };
}
