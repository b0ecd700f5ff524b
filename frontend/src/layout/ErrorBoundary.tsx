import { Component, type ErrorInfo, type ReactNode } from 'react';
import { onOutageEnd } from '@/api/outage';
import { CHUNK_ERROR_CAUSE, ChunkError } from '@/lib/chunkError';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { probe } from './probe';

interface RenderError {
  error: unknown;
  stack: string;
}

/** Shows an error panel if a page fails to load or to render; the frame stays. Its key must change with the page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { fault?: RenderError | undefined }> {
  override state: { fault?: RenderError | undefined } = {};
  /** Stops waiting for the end of an outage, which loads the code of the page again. */
  #stopWaiting: () => void = () => undefined;

  override componentWillUnmount(): void {
    this.#stopWaiting();
  }

  static getDerivedStateFromError(error: unknown): { fault: RenderError } {
    return { fault: { error, stack: '' } };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    if (error instanceof ChunkError) {
      error.allowRetry();
      this.#stopWaiting();
      this.#stopWaiting = onOutageEnd(() => {
        this.#stopWaiting();
        this.setState({ fault: undefined });
      });
      // Code is not loaded by a request of the API, so that nothing else may notice that the connection failed.
      probe();
    }
    this.setState({ fault: { error, stack: componentStack ?? '' } });
  }

  override render(): ReactNode {
    const { fault } = this.state;
    return fault ? <RenderErrorPanel fault={fault} /> : this.props.children;
  }
}

function RenderErrorPanel({ fault }: { fault: RenderError }) {
  const [title, advice] =
    fault.error instanceof ChunkError
      ? ['This page could not be loaded', `${CHUNK_ERROR_CAUSE} Reload the page.`]
      : [
          'Something went wrong on this page',
          'Reload the page. If the problem continues, send the details to your administrator.',
        ];
  const details = `${location.href}\n${describe(fault.error)}\n${fault.stack}`;
  return (
    <div role="alert">
      <EmptyState
        title={title}
        actions={
          <>
            <Button variant="primary" onClick={() => location.reload()}>
              Reload
            </Button>
            {/* The clipboard requires TLS or localhost. */}
            {'clipboard' in navigator && (
              <Button onClick={() => void navigator.clipboard.writeText(details)}>Copy details</Button>
            )}
          </>
        }
      >
        <p>{advice}</p>
        <details className="mt-3">
          <summary className="touch:leading-11">Details</summary>
          <pre className="wrap-anywhere mt-2 whitespace-pre-wrap text-left text-label">{details}</pre>
        </details>
      </EmptyState>
    </div>
  );
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
