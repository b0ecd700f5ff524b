// Who uses one strategy definition, each part known or failed on its own.
import { applications, applicationsUsing, archivedFeatures, features, seenApps } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import {
  type ApplicationWithoutStrategy,
  applicationsWithout,
  implementsStrategy,
  togglesUsingStrategy,
} from './usage';

interface UsageResult<Item> {
  /** Undefined while they are read. */
  items: readonly Item[] | undefined;
  error: Error | undefined;
  reload: () => void;
}

export interface ToggleWithState extends Pick<Toggle, 'name' | 'enabled'> {
  archived: boolean;
}

export function useTogglesUsing(strategyName: string): UsageResult<ToggleWithState> {
  const live = useRead(features);
  const archive = useRead(archivedFeatures);
  const failed = [live, archive].find(({ data, error }) => error && !data);
  return {
    items: live.data &&
      archive.data && [
        ...togglesUsingStrategy(strategyName, live.data.features).map((toggle) => ({ ...toggle, archived: false })),
        ...togglesUsingStrategy(strategyName, archive.data.features).map((toggle) => ({ ...toggle, archived: true })),
      ],
    error: failed?.error,
    reload: () => {
      live.reload();
      archive.reload();
    },
  };
}

export function useApplicationsUsing(strategyName: string): UsageResult<string> {
  const asked = useRead(applicationsUsing(strategyName));
  const all = useRead(applications);
  // Servers of 3.17 fail on the question as soon as there is any application; the whole list tells the same.
  const answer = asked.data ?? (asked.error && all.data);
  return {
    items: answer?.applications.filter((app) => implementsStrategy(strategyName, app)).map(({ appName }) => appName),
    error: answer ? undefined : all.error,
    reload: () => {
      asked.reload();
      all.reload();
    },
  };
}

export function useApplicationsWithout(strategyName: string): UsageResult<ApplicationWithoutStrategy> {
  const all = useRead(applications);
  const live = useRead(features);
  // Only an addition: without it the applications are told all the same.
  const seen = useRead(seenApps);
  const failed = [all, live].find(({ data, error }) => error && !data);
  const using = live.data && togglesUsingStrategy(strategyName, live.data.features);
  return {
    items: all.data && using && applicationsWithout(strategyName, all.data.applications, using, seen.data ?? {}),
    error: failed?.error,
    reload: () => {
      all.reload();
      live.reload();
    },
  };
}
