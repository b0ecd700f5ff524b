// What all applications together miss. Each has to be asked: no call tells of all.
import { useMemo } from 'react';
import { application, archivedFeatures } from '@/api/endpoints';
import type { SeenApp } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useReadEach } from '@/api/useReadEach';
import { collectMissing } from './missing';

/** Nothing is asked for as long as the applications are undefined. */
export function useMissingItems(applications: readonly SeenApp[] | undefined) {
  const names = useMemo(() => applications?.map(({ appName }) => appName), [applications]);
  const { outcomes, done, reload } = useReadEach(names?.map(application));
  const missing = useMemo(() => (names && outcomes ? collectMissing(names, outcomes) : undefined), [names, outcomes]);
  return { missing, done, total: names?.length ?? 0, reload };
}

/** The names that cannot be given to a new toggle. A server that does not tell is no reason to fail. */
export function useArchivedNames(): ReadonlySet<string> {
  const { data } = useRead(archivedFeatures);
  return useMemo(() => new Set(data?.features.map(({ name }) => name)), [data]);
}
