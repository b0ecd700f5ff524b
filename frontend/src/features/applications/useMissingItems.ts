// Missing items of all applications. This needs one request per application.
import { useMemo } from 'react';
import { application, archivedFeatures } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { Application, SeenApp } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useReadEach } from '@/api/useReadEach';
import { collectMissing } from './missing';
import { useApplications } from './useApplications';

/** Sends no requests while `applications` is undefined. */
export function useMissingItems(applications: readonly SeenApp[] | undefined) {
  const names = useMemo(() => applications?.map(({ appName }) => appName), [applications]);
  const { outcomes, done, reload } = useReadEach(names?.map(application));
  const missing = useMemo(() => (names && outcomes ? collectMissing(names, outcomes) : undefined), [names, outcomes]);
  return { missing, done, total: names?.length ?? 0, reload };
}

/** Maximum number of applications that a list reads in full, because each one is a request. */
const MAX_READ = 100;

/** Returns the applications if there are few enough to read each of them; otherwise none. */
export function getReadable(applications: readonly SeenApp[]): readonly SeenApp[] | undefined {
  return applications.length <= MAX_READ ? applications : undefined;
}

/** The applications that could be read in full, by name. Empty while loading, and if there are too many. */
export function useApplicationDetails(): ReadonlyMap<string, Application> {
  const { applications } = useApplications();
  const names = useMemo(() => applications && getReadable(applications)?.map(({ appName }) => appName), [applications]);
  // The same requests as those of the missing items.
  const { outcomes } = useReadEach(names?.map(application));
  return useMemo(
    () =>
      new Map(
        outcomes?.flatMap((outcome) => (outcome instanceof ApiError ? [] : [[outcome.appName, outcome] as const])),
      ),
    [outcomes],
  );
}

/** Names of archived toggles, which new toggles cannot have. Empty if the archive cannot be read. */
export function useArchivedNames(): ReadonlySet<string> {
  const { data } = useRead(archivedFeatures);
  return useMemo(() => new Set(data?.features.map(({ name }) => name)), [data]);
}
