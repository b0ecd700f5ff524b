import { Component, type ReactNode, Suspense } from 'react';

interface PartProps {
  /** What was asked for cannot be shown. Left out where nobody asked. */
  onFault?: () => void;
  children: ReactNode;
}

/** Holds what the page can do without: when its code cannot be fetched, everything else stays, with what was typed. */
export class Part extends Component<PartProps, { faulty: boolean }> {
  override state = { faulty: false };

  static getDerivedStateFromError(): { faulty: boolean } {
    return { faulty: true };
  }

  override componentDidCatch(): void {
    this.props.onFault?.();
  }

  override render(): ReactNode {
    return this.state.faulty ? null : <Suspense>{this.props.children}</Suspense>;
  }
}
