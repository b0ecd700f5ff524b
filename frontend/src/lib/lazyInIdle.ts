import { type ComponentType, lazy } from 'react';
import { onIdle } from './onIdle';

/** Creates a lazy component whose code is prefetched when the browser is idle. */
export function lazyInIdle<P>(load: () => Promise<ComponentType<P>>) {
  let loading: Promise<{ default: ComponentType<P> }> | undefined;
  const fetchOnce = () => {
    loading ??= load().then(
      (component) => ({ default: component }),
      (failure: unknown) => {
        // Do not cache a failure: the next render retries.
        loading = undefined;
        throw failure;
      },
    );
    return loading;
  };
  if (typeof document !== 'undefined') onIdle(() => void fetchOnce().catch(() => undefined));
  return lazy(fetchOnce);
}
