import { type ComponentType, lazy } from 'react';
import { onIdle } from '@/lib/onIdle';

/** A component that opens on demand: its code is fetched in idle time, or at the latest when it opens. */
export function lazyOverlay<P>(load: () => Promise<ComponentType<P>>) {
  let loading: Promise<{ default: ComponentType<P> }> | undefined;
  const fetchOnce = () => {
    // A failed fetch must not stay for ever: the next opening tries again.
    loading ??= load().then(
      (component) => ({ default: component }),
      (failure: unknown) => {
        loading = undefined;
        throw failure;
      },
    );
    return loading;
  };
  const prefetch = () => void fetchOnce().catch(() => undefined);
  if (typeof document !== 'undefined') onIdle(prefetch);
  return { Component: lazy(fetchOnce), prefetch };
}
