import { Component, createContext, type ReactNode, Suspense } from 'react';

/** Says that a part could not be loaded: who can tell people stands above the kit. */
export const ChunkErrorContext = createContext<() => void>(() => undefined);

interface LazyBoundaryProps {
  /** Opened again, it is tried again. */
  open?: boolean;
  /** Nobody asked for it, so that nobody has to know. */
  isSilent?: boolean;
  onLoadError?: (() => void) | undefined;
  children: ReactNode;
}

interface LazyBoundaryState {
  hasFailed: boolean;
  wasOpen: boolean;
}

/** Holds what the page can do without: when its code cannot be fetched, everything else stays, with what was typed. */
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
