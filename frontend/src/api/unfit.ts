import { useEffect } from 'react';
import { createStore, useStore } from '@/lib/store';
import { feature, featureMetrics, features } from './endpoints';
import { type ApiError, isUnknown } from './error';
import { useRead } from './hooks';
import { isAtLeast, useServerVersion } from './serverVersion';

/** The first version that lists toggles and counts in another way, and has no calls that change a single one. */
const FIRST_UNFIT = 5;

/** The last result of `useUnfit`. */
const isKnownUnfit = createStore(false);

/**
 * The error that shows that this console cannot manage the toggles of this server: the server lacks the calls. Sends
 * the requests that detect it.
 */
export function useUnfit(): ApiError | undefined {
  const { data, error } = useRead(features);
  const counts = useRead(data ? featureMetrics : null).error;
  const version = useServerVersion();
  const first = data?.features[0];
  const one = useRead(unknown(counts) && first ? feature(first.name) : null);
  // With no toggle to ask for, only its version tells a new server from one that counts in another way.
  const lack = first || !isAtLeast(version, FIRST_UNFIT) ? one.error : counts;
  const unfit = unknown(data ? lack : error);
  const isUnfit = unfit !== undefined;
  // For `useIsKnownUnfit`: a store outside React, which render must not write.
  useEffect(() => isKnownUnfit.set(isUnfit), [isUnfit]);
  return unfit;
}

/** Whether `useUnfit` has detected such a server. Sends no request, so that every control can ask. */
export function useIsKnownUnfit(): boolean {
  return useStore(isKnownUnfit);
}

const unknown = (error: ApiError | undefined) => (error && isUnknown(error) ? error : undefined);
