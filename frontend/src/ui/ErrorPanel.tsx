import { Button } from './Button';
import { RetryIcon, WarningIcon } from './icons';

interface ErrorPanelProps {
  error: { message: string; detail?: string | undefined; isOutage?: boolean };
  onRetry?: (() => void) | undefined;
  title?: string;
}

/** Shown in place of content that could not be loaded, with a Retry button. */
export function ErrorPanel({ error, onRetry, title = 'This could not be loaded' }: ErrorPanelProps) {
  // The outage banner reports the failure and has the Retry button.
  if (error.isOutage) {
    return <p className="px-6 py-14 text-center text-muted">This loads when the connection is restored.</p>;
  }
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-14 text-center">
      <span className="flex size-11 items-center justify-center rounded-full bg-danger-soft text-danger">
        <WarningIcon size={20} />
      </span>
      <h2 className="font-semibold text-section">{title}</h2>
      <div className="wrap-anywhere max-w-[60ch] text-muted">
        <p>{error.message}</p>
        {error.detail && <p className="mt-1">{error.detail}</p>}
      </div>
      {onRetry && (
        <Button onClick={onRetry} icon={<RetryIcon />}>
          Retry
        </Button>
      )}
    </div>
  );
}
