import { feature, featureMetrics, features } from './endpoints';
import { type ApiError, isUnknown } from './error';
import { useRead } from './hooks';
import { usePermission } from './permissions';
import { isAtLeast, useServerVersion } from './serverVersion';

/** The first version that lists toggles and counts in another way, and has no calls that change a single one. */
const FIRST_UNFIT = 5;

/** What this server said that shows that its toggles cannot be managed as this console does: it lacks the calls. */
export function useUnfit(): ApiError | undefined {
  const { data, error } = useRead(features);
  const counts = useRead(data ? featureMetrics : null, { mayBeAbsent: true, announce: false }).error;
  const version = useServerVersion();
  const first = data?.features[0];
  const one = useRead(unknown(counts) && first ? feature(first.name) : null, { mayBeAbsent: true, announce: false });
  if (!data) return unknown(error);
  // With no toggle to ask for, only its version tells a new server from one that counts in another way.
  return unknown(first || !isAtLeast(version, FIRST_UNFIT) ? one.error : counts);
}

/** As `usePermission`, where it may be about toggles: nobody may what the server has no calls for. */
export function useFitPermission(permission: string): boolean {
  const may = usePermission(permission);
  const unfit = useUnfit();
  return may && !(unfit && isAboutToggles(permission));
}

export const isAboutToggles = (permission: string) => permission.endsWith('_FEATURE');

const unknown = (error: ApiError | undefined) => (error && isUnknown(error) ? error : undefined);
