import { Component, createContext, type ReactNode, Suspense } from 'react';

/** Says that a part could not be loaded: who can tell people stands above the kit. */
export const TellUnloaded = createContext<() => void>(() => undefined);

interface PartProps {
  /** Opened again, it is tried again. */
  open?: boolean;
  /** Nobody asked for it, so that nobody has to know. */
  quiet?: boolean;
  onFault?: (() => void) | undefined;
  children: ReactNode;
}

interface PartState {
  faulty: boolean;
  wasOpen: boolean;
}

/** Holds what the page can do without: when its code cannot be fetched, everything else stays, with what was typed. */
export class Part extends Component<PartProps, PartState> {
  static override contextType = TellUnloaded;
  declare context: () => void;
  override state = { faulty: false, wasOpen: true };

  static getDerivedStateFromError(): Partial<PartState> {
    return { faulty: true };
  }

  static getDerivedStateFromProps({ open = true }: PartProps, { faulty, wasOpen }: PartState): PartState {
    return { faulty: faulty && (wasOpen || !open), wasOpen: open };
  }

  override componentDidCatch(): void {
    if (!this.props.quiet) this.context();
    this.props.onFault?.();
  }

  override render(): ReactNode {
    return this.state.faulty ? null : <Suspense>{this.props.children}</Suspense>;
  }
}
