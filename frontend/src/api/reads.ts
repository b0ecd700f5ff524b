// Reads that several features share, with default values while loading and for servers that lack the endpoint.
import { useAreSettingsAwaited } from './capabilities';
import { featureMetrics, featuresWithStrategies, featureTypes, projects, settings, uiConfig } from './endpoints';
import { isNotFound } from './error';
import type { FeatureType, Project, ToggleMetrics } from './generated/types';
import { useAnnouncedRead, useRead } from './useRead';
import { areStrategiesKnown } from './newerTypes';
import { useSettings } from './settings';
import { useToggleList } from './toggles';

const NO_PROJECTS: readonly Project[] = [];
const RELEASE_ONLY: readonly FeatureType[] = [{ id: 'release', name: 'Release', description: '', lifetimeDays: null }];

/** Metrics of all toggles, polled while `ready`. */
export function useMetrics(ready: boolean): ToggleMetrics | undefined {
  return useMetricsStatus(ready).metrics;
}

interface MetricsStatus {
  metrics: ToggleMetrics | undefined;
  /** True until the first response. */
  isLoading: boolean;
  /** True if the server lacks the endpoint, because it collects metrics in another way. */
  isUnsupported: boolean;
  /** Why there are no metrics. */
  reason: string | undefined;
}

/** Like `useMetrics`, with the reason why there are no metrics. */
export function useMetricsStatus(ready: boolean): MetricsStatus {
  const { data, error } = useAnnouncedRead(ready ? featureMetrics : null, { polls: true });
  const isUnsupported = error !== undefined && isNotFound(error);
  return { metrics: data, isLoading: !data && !error, isUnsupported, reason: error?.message };
}

/** All toggles with their strategies, which the list of newer servers does not contain. */
export function useTogglesWithStrategies() {
  const list = useToggleList();
  const isPartial = list.data?.features.some((toggle) => !areStrategiesKnown(toggle)) ?? false;
  const complete = useRead(isPartial ? featuresWithStrategies : null);
  return isPartial ? complete : list;
}

/**
 * True until the capabilities are known, or cannot be read. The settings do not wait for a slow server, but are read again
 * after the response with its UI config. A capability that was used before could change.
 */
export function useAreCapabilitiesLoading(): boolean {
  const reads = [useRead(settings), useRead(uiConfig)];
  const isAwaited = useAreSettingsAwaited() && !reads.some(({ error }) => error);
  return !useSettings()?.capabilities && (isAwaited || reads.some(({ isLoading }) => isLoading));
}

/** All projects. Empty on servers without projects: their 404 is not an error. */
export function useProjects(): readonly Project[] {
  return useAnnouncedRead(projects).data?.projects ?? NO_PROJECTS;
}

export function useFeatureTypes(): readonly FeatureType[] {
  return useAnnouncedRead(featureTypes).data?.types ?? RELEASE_ONLY;
}
