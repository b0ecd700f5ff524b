import { useEffect } from 'react';
import { createUserStore, useStore } from '@/lib/store';
import { useCapabilities } from './capabilities';
import { feature, featureMetrics } from './endpoints';
import { type ApiError, isNotFound } from './error';
import { useRead } from './useRead';
import { useToggleList } from './toggles';

/** The last result of `useUnsupportedServer`. */
const isKnownUnsupported = createUserStore(false);

/**
 * Detects a server whose toggles this console cannot manage, because it lacks the endpoints. Returns the error that
 * shows it. Sends the requests for the detection.
 */
export function useUnsupportedServer(): ApiError | undefined {
  // A server with environments is supported by an adapter, whose settings are known.
  const { hasEnvironments, managesToggles } = useCapabilities();
  const { data, error } = useToggleList();
  const metricsError = useRead(data && !hasEnvironments ? featureMetrics : null).error;
  const first = data?.features[0];
  const one = useRead(asNotFound(metricsError) && first ? feature(first.name) : null);
  // Without toggles, only the version distinguishes an unsupported server from one that lacks the metrics endpoint.
  const missingEndpoint = first || managesToggles ? one.error : metricsError;
  const unsupported = hasEnvironments ? undefined : asNotFound(data ? missingEndpoint : error);
  const isUnsupported = unsupported !== undefined;
  // Rendering must not write to a store outside React.
  useEffect(() => isKnownUnsupported.set(isUnsupported), [isUnsupported]);
  return unsupported;
}

/** True once `useUnsupportedServer` has detected such a server. Sends no request, so that every control can use it. */
export function useIsUnsupportedServer(): boolean {
  return useStore(isKnownUnsupported);
}

const asNotFound = (error: ApiError | undefined) => (error && isNotFound(error) ? error : undefined);
