// Reads that several features share, with what stands in while they are under way or where a server has none.
import { featureMetrics, featureTypes, projects } from './endpoints';
import { isNotFound } from './error';
import type { FeatureType, Project, ToggleMetrics } from './generated/types';
import { useRead } from './hooks';

const NO_PROJECTS: readonly Project[] = [];
const RELEASE_ONLY: readonly FeatureType[] = [{ id: 'release', name: 'Release', description: '', lifetimeDays: null }];

/** Counts of calls, read again and again once there are toggles to show them for. */
export function useMetrics(ready: boolean): ToggleMetrics | undefined {
  return useMetricsStatus(ready).metrics;
}

/** The same, and whether this server counts in another way. */
export function useMetricsStatus(ready: boolean): { metrics: ToggleMetrics | undefined; isUnsupported: boolean } {
  const { data, error } = useRead(ready ? featureMetrics : null, { polls: true });
  return { metrics: data, isUnsupported: error !== undefined && isNotFound(error) };
}

/** Empty on servers that have no projects but the default one: their 404 is no failure. */
export function useProjects(): readonly Project[] {
  return useRead(projects).data?.projects ?? NO_PROJECTS;
}

export function useFeatureTypes(): readonly FeatureType[] {
  return useRead(featureTypes).data?.types ?? RELEASE_ONLY;
}
