// Code that loads after the first page. Pages are rendered inside `Suspense` and an error boundary; dialogs bring their own.
import { type ComponentType, createElement, lazy, type ReactNode } from 'react';
import { ChunkError } from '@/lib/chunkError';
import { LazyBoundary } from './LazyBoundary';

type PropsOf<Value> = Value extends ComponentType<infer Props extends object> ? Props : never;

interface LazyDialogProps {
  open?: boolean;
  onClose?: (() => void) | undefined;
  /** Shown while the code loads. */
  loading?: ReactNode;
}

/** Creates a page whose code is prefetched when the browser is idle: `lazyPage(() => import('./TagPage'), 'TagPage')`. */
export function lazyPage<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): ComponentType<PropsOf<Module[Name]>> {
  let loading: Promise<{ default: ComponentType<PropsOf<Module[Name]>> }> | undefined;
  const fetchOnce = () => {
    loading ??= load().then(
      (module) => ({ default: module[name] as ComponentType<PropsOf<Module[Name]>> }),
      (failure: unknown) => {
        loading = undefined;
        throw new ChunkError(failure, () => {
          Content = lazy(fetchOnce);
        });
      },
    );
    return loading;
  };
  let Content = lazy(fetchOnce);
  if (typeof document !== 'undefined') prefetch(() => void fetchOnce().catch(() => undefined));
  // biome-ignore lint/correctness/noComponentHookFactories: Called once per page, outside components, like React's `lazy`.
  return function LazyPage(props: PropsOf<Module[Name]>) {
    return createElement(Content as ComponentType<PropsOf<Module[Name]>>, props);
  };
}

/**
 * Creates a dialog, or another part that the user opens, whose code is loaded when it is first open and prefetched when
 * the browser is idle. If the code cannot be loaded, a notice says so and the dialog closes.
 */
export function lazyDialog<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  const Content = lazyPage(load, name);
  // biome-ignore lint/correctness/noComponentHookFactories: Called once per dialog, outside components, like React's `lazy`.
  return function LazyDialog(props: PropsOf<Module[Name]> & LazyDialogProps) {
    return (
      <LazyBoundary open={props.open} onLoadError={props.onClose} loading={props.loading}>
        {createElement(Content, props)}
      </LazyBoundary>
    );
  };
}

/** Delay before prefetching starts, so that a page's own code and data load first. */
const DELAY_MS = 2000;

/** Part of the Network Information API that TypeScript does not declare, and that some browsers lack. */
interface NavigatorConnection {
  connection?: { saveData?: boolean };
}

/** Prefetches something once the page has loaded and the browser is idle, unless the user asked the browser to save data. */
export function prefetch(load: () => void): void {
  setTimeout(() => {
    if ((navigator as NavigatorConnection).connection?.saveData) return;
    if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 5000 });
    else load();
  }, DELAY_MS);
}
