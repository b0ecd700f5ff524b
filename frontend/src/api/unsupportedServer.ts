import { useEffect } from 'react';
import { createStore, useStore } from '@/lib/store';
import { feature, featureMetrics, features } from './endpoints';
import { type ApiError, isNotFound } from './error';
import { useRead } from './hooks';
import { isAtLeastMajor, useServerVersion } from './serverVersion';

/** The first version that lists toggles and counts in another way, and has no calls that change a single one. */
const FIRST_UNSUPPORTED = 5;

/** The last result of `useUnfit`. */
const isKnownUnsupported = createStore(false);

/**
 * The error that shows that this console cannot manage the toggles of this server: the server lacks the calls. Sends
 * the requests that detect it.
 */
export function useUnsupportedServer(): ApiError | undefined {
  const { data, error } = useRead(features);
  const counts = useRead(data ? featureMetrics : null).error;
  const version = useServerVersion();
  const first = data?.features[0];
  const one = useRead(asNotFound(counts) && first ? feature(first.name) : null);
  // With no toggle to ask for, only its version tells a new server from one that counts in another way.
  const lack = first || !isAtLeastMajor(version, FIRST_UNSUPPORTED) ? one.error : counts;
  const unsupported = asNotFound(data ? lack : error);
  const isUnsupported = unsupported !== undefined;
  // For `useIsKnownUnfit`: a store outside React, which render must not write.
  useEffect(() => isKnownUnsupported.set(isUnsupported), [isUnsupported]);
  return unsupported;
}

/** Whether `useUnfit` has detected such a server. Sends no request, so that every control can ask. */
export function useIsUnsupportedServer(): boolean {
  return useStore(isKnownUnsupported);
}

const asNotFound = (error: ApiError | undefined) => (error && isNotFound(error) ? error : undefined);
