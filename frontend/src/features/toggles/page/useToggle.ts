// Reads one toggle from the store, so that a change in the list shows here at once.
import { useMemo } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { archivedFeatures, feature, seenApps, seenAppsOf } from '@/api/endpoints';
import { ApiError, isNotFound } from '@/api/error';
import type { Counts, SeenApp, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { areStrategiesKnown } from '@/api/newerTypes';
import { useAreCapabilitiesLoading, useMetricsStatus } from '@/api/reads';
import { useOwnToggle, useToggleList } from '@/api/toggles';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { getCounts } from '@/domain/toggles/toggleList';

export type ToggleReadState =
  | { state: 'live'; toggle: Toggle }
  | { state: 'archived'; toggle: Toggle }
  | { state: 'loading' }
  | { state: 'failed'; error: Error; reload: () => void }
  | { state: 'unsupported'; error: ApiError }
  | { state: 'missing' };

export function useToggle(name: string): ToggleReadState {
  const live = useToggleList();
  const unsupported = useUnsupportedServer();
  const row = live.data?.features.find((one) => one.name === name);
  const { listsOrderedStrategies } = useCapabilities();
  const hasOwnRead = !listsOrderedStrategies || (row !== undefined && !areStrategiesKnown(row));
  // Until the capabilities are known, a row could be replaced later, which would discard edits.
  const isUndecided = useAreCapabilitiesLoading();
  const own = useOwnToggle(name, row !== undefined && hasOwnRead);
  const toggle = hasOwnRead ? own.data : row;
  const isGone = live.data !== undefined && (!row || (own.error !== undefined && isNotFound(own.error)));
  const archive = useRead(isGone ? archivedFeatures : null);
  if (unsupported) return { state: 'unsupported', error: unsupported };
  if (toggle && !isGone) return isUndecided ? { state: 'loading' } : { state: 'live', toggle };
  return findInArchive(name, archive.data, [live, isGone ? archive : own]) ?? { state: 'loading' };
}

/** Returns a function that finds toggles by name. It returns the row of the list, also if it contains no strategies. */
export function useToggleFinder(): (name: string) => ToggleReadState {
  const live = useToggleList();
  const unsupported = useUnsupportedServer();
  const archive = useRead(archivedFeatures);
  const rows = useMemo(() => new Map(live.data?.features.map((toggle) => [toggle.name, toggle])), [live.data]);
  return (name) => {
    const toggle = rows.get(name);
    if (unsupported) return { state: 'unsupported', error: unsupported };
    if (toggle) return { state: 'live', toggle };
    if (!live.data) return findInArchive(name, undefined, [live]) ?? { state: 'loading' };
    return findInArchive(name, archive.data, [archive]) ?? { state: 'loading' };
  };
}

type ArchiveData = { features: readonly Toggle[] } | undefined;
type Reading = { data?: unknown; error: Error | undefined; reload: () => void };

/** Returns the state of a toggle that is not in the list; undefined while it is unknown. */
function findInArchive(name: string, archive: ArchiveData, reads: readonly Reading[]): ToggleReadState | undefined {
  const toggle = archive?.features.find((one) => one.name === name);
  if (toggle) return { state: 'archived', toggle };
  const failed = reads.find(({ data, error }) => error && !data);
  if (failed?.error) return { state: 'failed', error: failed.error, reload: failed.reload };
  return archive && { state: 'missing' };
}

export interface Usage {
  lastMinute: Counts | undefined;
  lastHour: Counts | undefined;
  /** True until the counts are loaded. */
  isLoading: boolean;
  /** Undefined while loading. */
  apps: readonly SeenApp[] | undefined;
  appsError: ApiError | undefined;
  /** The server has no metrics in a supported format. */
  absent: boolean;
}

const NO_APPS: readonly SeenApp[] = [];
const NO_APPS_ENDPOINT = new ApiError({ status: 404, hop: 'server', body: '' }, '');

export function useUsage(name: string): Usage {
  const { metrics, isLoading, isUnsupported } = useMetricsStatus(true);
  const reported = useCapabilities().seenApps;
  const { data, error } = useRead(reported === 'single' ? seenAppsOf(name) : seenApps, { polls: true });
  const isAbsent = reported === 'none';
  return {
    isLoading,
    lastMinute: getCounts(metrics?.lastMinute, name),
    lastHour: getCounts(metrics?.lastHour, name),
    apps: isAbsent ? undefined : data && ((Object.hasOwn(data, name) && data[name]) || NO_APPS),
    appsError: isAbsent ? NO_APPS_ENDPOINT : error,
    absent: isUnsupported,
  };
}

/** Polls one toggle, because its last seen time changes with its counts. The response updates the store. */
export function useLastSeen(name: string): void {
  useRead(feature(name), { polls: true });
}
