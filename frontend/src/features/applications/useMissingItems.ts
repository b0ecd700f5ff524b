// Missing items of all applications. This needs one request per application.
import { useMemo } from 'react';
import { application, archivedFeatures } from '@/api/endpoints';
import type { SeenApp } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useReadEach } from '@/api/useReadEach';
import { collectMissing } from './missing';

/** Sends no requests while `applications` is undefined. */
export function useMissingItems(applications: readonly SeenApp[] | undefined) {
  const names = useMemo(() => applications?.map(({ appName }) => appName), [applications]);
  const { outcomes, done, reload } = useReadEach(names?.map(application));
  const missing = useMemo(() => (names && outcomes ? collectMissing(names, outcomes) : undefined), [names, outcomes]);
  return { missing, done, total: names?.length ?? 0, reload };
}

/** Names of archived toggles, which new toggles cannot have. Empty if the archive cannot be read. */
export function useArchivedNames(): ReadonlySet<string> {
  const { data } = useRead(archivedFeatures);
  return useMemo(() => new Set(data?.features.map(({ name }) => name)), [data]);
}
