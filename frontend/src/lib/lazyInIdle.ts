import { type ComponentType, lazy } from 'react';
import { onIdle } from './onIdle';

/** A component whose code is fetched in idle time, or at the latest when it is shown. */
export function lazyInIdle<P>(load: () => Promise<ComponentType<P>>) {
  let loading: Promise<{ default: ComponentType<P> }> | undefined;
  const fetchOnce = () => {
    loading ??= load().then(
      (component) => ({ default: component }),
      (failure: unknown) => {
        // It must not stay for ever: the next time tries again.
        loading = undefined;
        throw failure;
      },
    );
    return loading;
  };
  if (typeof document !== 'undefined') onIdle(() => void fetchOnce().catch(() => undefined));
  return lazy(fetchOnce);
}
