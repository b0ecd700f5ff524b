import { Component, createContext, type ReactNode, Suspense } from 'react';

/** Reports a chunk that could not be loaded. Provided by the application, because the UI kit has no notices. */
export const ChunkErrorContext = createContext<() => void>(() => undefined);

interface LazyBoundaryProps {
  /** Loading is retried when this changes from false to true. */
  open?: boolean;
  /** Does not report the error: the user did not ask for the content. */
  isSilent?: boolean;
  onLoadError?: (() => void) | undefined;
  children: ReactNode;
}

interface LazyBoundaryState {
  hasFailed: boolean;
  wasOpen: boolean;
}

/** Error boundary for lazy content. If its code cannot be loaded, the rest of the page stays, with its input. */
export class LazyBoundary extends Component<LazyBoundaryProps, LazyBoundaryState> {
  static override contextType = ChunkErrorContext;
  declare context: () => void;
  override state = { hasFailed: false, wasOpen: true };

  static getDerivedStateFromError(): Partial<LazyBoundaryState> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps(
    { open = true }: LazyBoundaryProps,
    { hasFailed, wasOpen }: LazyBoundaryState,
  ): LazyBoundaryState {
    return { hasFailed: hasFailed && (wasOpen || !open), wasOpen: open };
  }

  override componentDidCatch(): void {
    if (!this.props.isSilent) this.context();
    this.props.onLoadError?.();
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : <Suspense>{this.props.children}</Suspense>;
  }
}
