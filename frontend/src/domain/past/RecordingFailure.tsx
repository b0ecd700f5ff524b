import type { ReactNode } from 'react';
import type { ApiError } from '@/api/error';
import { useLocale } from '@/lib/locale';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ClockIcon } from '@/ui/icons';
import { describeFailure } from './describeRecording';

interface Props {
  error: ApiError;
  onRetry: () => void;
  /** Ways to another time. */
  actions?: ReactNode;
}

/** Says why the records of a time cannot be shown. */
export function RecordingFailure({ error, onRetry, actions }: Props) {
  const { title, message, canRetry } = describeFailure(error, useLocale());
  if (canRetry) return <ErrorPanel title={title} error={{ message, isOutage: error.isOutage }} onRetry={onRetry} />;
  return (
    <Card>
      <EmptyState icon={<ClockIcon size={20} />} title={title} actions={actions}>
        {message}
      </EmptyState>
    </Card>
  );
}
