// One toggle, from the lists: they are read anyway, and what is switched there shows here at once.
import { archivedFeatures, feature, features, reviveFeature, seenApps } from '@/api/endpoints';
import type { ApiError } from '@/api/error';
import type { Counts, SeenApp, Toggle } from '@/api/generated/types';
import { useRead, useWrite } from '@/api/hooks';
import { useMetricsStatus } from '@/api/reads';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { countsOf } from '@/lib/toggleList';

type Found =
  | { state: 'live'; toggle: Toggle }
  | { state: 'archived'; toggle: Toggle }
  | { state: 'loading' }
  | { state: 'failed'; error: Error; reload: () => void }
  | { state: 'unfit'; error: ApiError }
  | { state: 'missing' };

export function useToggle(name: string): Found {
  const live = useRead(features);
  const unfit = useUnsupportedServer();
  const toggle = live.data?.features.find((one) => one.name === name);
  const archive = useRead(live.data && !toggle ? archivedFeatures : null);
  const archived = archive.data?.features.find((one) => one.name === name);
  if (unfit) return { state: 'unfit', error: unfit };
  if (toggle) return { state: 'live', toggle };
  if (archived) return { state: 'archived', toggle: archived };
  const { error, reload } = live.data ? archive : live;
  if (error) return { state: 'failed', error, reload };
  return live.data && archive.data ? { state: 'missing' } : { state: 'loading' };
}

export interface Usage {
  lastMinute: Counts | undefined;
  lastHour: Counts | undefined;
  /** Undefined while they are not known. */
  apps: readonly SeenApp[] | undefined;
  appsError: ApiError | undefined;
  /** Whether this server counts calls in another way. */
  absent: boolean;
}

const NO_APPS: readonly SeenApp[] = [];

export function useUsage(name: string): Usage {
  const { metrics, isUnsupported } = useMetricsStatus(true);
  const { data, error } = useRead(seenApps, { polls: true });
  return {
    lastMinute: countsOf(metrics?.lastMinute, name),
    lastHour: countsOf(metrics?.lastHour, name),
    apps: data && ((Object.hasOwn(data, name) && data[name]) || NO_APPS),
    appsError: error,
    absent: isUnsupported,
  };
}

/** Polls one toggle, because its last seen time changes with its counts. The endpoint updates the list. */
export function useLastSeen(name: string): void {
  useRead(feature(name), { polls: true });
}

export function useRevive() {
  const { send, busy } = useWrite();
  /** Whether the server agreed; the snackbar says why not. */
  function revive({ name }: Toggle): Promise<boolean> {
    return send(reviveFeature(name), { refreshes: [features, archivedFeatures] }).then(
      () => true,
      () => false,
    );
  }
  return { revive, reviving: busy };
}
