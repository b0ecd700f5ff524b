import { Component, createContext, type ReactNode, Suspense } from 'react';
import { ChunkError } from '@/lib/chunkError';

/** Reports a chunk that could not be loaded. Provided by the application, because the UI kit has no notices. */
export const ChunkErrorContext = createContext<() => void>(() => undefined);

interface LazyBoundaryProps {
  /** The content is rendered from the first time that this is true. Loading is retried each time that it becomes true. */
  open?: boolean | undefined;
  onLoadError?: (() => void) | undefined;
  /** Shown while the code loads. */
  loading?: ReactNode;
  children: ReactNode;
}

interface LazyBoundaryState {
  hasFailed: boolean;
  hasOpened: boolean;
  wasOpen: boolean;
}

/** Error boundary for lazy content. If its code cannot be loaded, the rest of the page stays, with its input. */
export class LazyBoundary extends Component<LazyBoundaryProps, LazyBoundaryState> {
  static override contextType = ChunkErrorContext;
  declare context: () => void;
  override state = { hasFailed: false, hasOpened: false, wasOpen: true };

  static getDerivedStateFromError(): Partial<LazyBoundaryState> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps(
    { open = true }: LazyBoundaryProps,
    { hasFailed, hasOpened, wasOpen }: LazyBoundaryState,
  ): LazyBoundaryState {
    return { hasFailed: hasFailed && (wasOpen || !open), hasOpened: hasOpened || open, wasOpen: open };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof ChunkError) error.allowRetry();
    this.context();
    this.props.onLoadError?.();
  }

  override render(): ReactNode {
    const { hasFailed, hasOpened } = this.state;
    // An opened dialog stays mounted, for its closing animation and to return the focus.
    return hasOpened && !hasFailed && <Suspense fallback={this.props.loading}>{this.props.children}</Suspense>;
  }
}
