import type { ApiError } from '@/api/error';
import { Button } from '@/ui/Button';
import { FailureText } from '@/ui/FailureText';

interface Props {
  error: ApiError;
  onRetry: () => void;
}

/** Shown in place of a result. */
export function EvaluationFailure({ error, onRetry }: Props) {
  return (
    <div className="grid justify-items-start gap-2">
      <FailureText failure={error} className="text-secondary" />
      <Button size="small" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
