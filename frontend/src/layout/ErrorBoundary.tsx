import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';

interface Fault {
  error: unknown;
  stack: string;
}

/** Keeps a fault in one page from taking the frame with it. Give it a key that changes with the page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { fault?: Fault }> {
  override state: { fault?: Fault } = {};

  static getDerivedStateFromError(error: unknown): { fault: Fault } {
    return { fault: { error, stack: '' } };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ fault: { error, stack: componentStack ?? '' } });
  }

  override render(): ReactNode {
    const { fault } = this.state;
    return fault ? <FaultPanel fault={fault} /> : this.props.children;
  }
}

function FaultPanel({ fault }: { fault: Fault }) {
  const details = () => `${location.href}\n${describe(fault.error)}\n${fault.stack}`;
  return (
    <div role="alert">
      <EmptyState
        title="Something went wrong on this page"
        actions={
          <>
            <Button variant="primary" onClick={() => location.reload()}>
              Reload
            </Button>
            <Button onClick={() => void navigator.clipboard.writeText(details())}>Copy details</Button>
          </>
        }
      >
        Reload it. If that does not help, copy the details and send them to whoever runs this console.
      </EmptyState>
    </div>
  );
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
