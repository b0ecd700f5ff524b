// Frame of the pages that show the past: a banner, and the states of the read. The pages render recorded toggles, which are
// never in the store of current toggles.

import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { PastTime } from '@/api/generated/types';
import { formatMoment } from '@/api/pastView';
import { useRecordedState, useRecorder } from '@/api/recorded';
import type { RecordedState } from '@/api/recordedTypes';
import { RecordedSegments } from '@/domain/strategies/useSegmentName';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { type PastView, toPast, toPresent } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { useOpenPage } from '@/shared/navigation';
import { Button } from '@/ui/Button';
import { ClockIcon, EditIcon } from '@/ui/icons';
import { Progress } from '@/ui/Progress';
import { ChangeTime } from './ChangeTime';
import { clockPrompt } from './clockPrompt';
import { describeGap } from './describeRecording';
import { RecordingFailure } from './RecordingFailure';
import { ScopeSelect } from './ScopeSelect';

interface Props {
  view: PastView;
  /** Header of the page, also while loading: its heading keeps the focus. */
  header: (state: RecordedState | undefined) => ReactNode;
  children: (state: RecordedState) => ReactNode;
}

export function PastPage({ view, header, children }: Props) {
  const { data, error, reload } = useRecordedState();
  return (
    <>
      <PastBanner view={view} />
      <RecordingNote view={view} recording={data?.recording} />
      {header(data)}
      {data && <RecordedSegments value={data.segments}>{children(data)}</RecordedSegments>}
      {!data && error && <RecordingFailure error={error} onRetry={reload} actions={<OtherTimes view={view} />} />}
      {!data && !error && <Progress label="Loading the records" />}
    </>
  );
}

/** Marks the page as one of the past. It stays visible while scrolling. */
function PastBanner({ view: { at } }: { view: PastView }) {
  const locale = useLocale();
  const location = useLocation();
  return (
    <section aria-label="Earlier time" className={BANNER}>
      <ClockIcon size={18} className="shrink-0 max-sm:hidden" />
      <p className="min-w-0 flex-1">
        <span className="max-sm:hidden">You see the toggles as of </span>
        <span className="sm:hidden">As of </span>
        <time dateTime={at} className="font-semibold">
          {formatMoment(at, locale)}
        </time>
      </p>
      <div className="flex items-center gap-2">
        <Button
          icon={<EditIcon className="sm:hidden" />}
          size="small"
          aria-haspopup="dialog"
          className="max-sm:w-touch max-sm:px-0"
          onClick={() => void clockPrompt.ask()}
        >
          <span className="max-sm:sr-only">Change time</span>
        </Button>
        <LinkButton to={toPresent(location)} size="small">
          Back to now
        </LinkButton>
      </div>
    </section>
  );
}

const BANNER = cx(
  'sticky top-[calc(var(--spacing-below-header)+6px)] z-15 mb-2 flex flex-wrap items-center gap-x-3 gap-y-2',
  'rounded-card border-2 border-inverse bg-inverse px-4 py-2.5 text-on-inverse shadow-card dark:border-accent',
  'max-sm:px-3 max-sm:py-2',
);

/** What is known about the time: the interval of the last change, a gap, and the token whose toggles are shown. */
function RecordingNote({ view, recording }: { view: PastView; recording: PastTime | undefined }) {
  const locale = useLocale();
  const location = useLocation();
  const open = useOpenPage();
  return (
    <div className="mb-4 grid gap-1 text-muted text-secondary">
      <div role="status" className="grid min-h-5 gap-1">
        {recording && (
          <>
            <p className="wrap-anywhere">
              Last change: <ChangeTime interval={recording.since} />
            </p>
            {recording.gap && (
              <p className="wrap-anywhere text-warn">
                Other toggles may have been served. {describeGap(recording.gap, locale)}
              </p>
            )}
          </>
        )}
      </div>
      <ScopeSelect
        selected={view.scope ?? recording?.scope.id}
        onChange={(scope) => void open(toPast(location, { ...view, scope }), { replace: true })}
      />
    </div>
  );
}

/** Links from a time without records. */
function OtherTimes({ view }: { view: PastView }) {
  const location = useLocation();
  const firstRecord = useRecorder().data?.firstRecord;
  const isEarlier = typeof firstRecord === 'string' && Date.parse(view.at) < Date.parse(firstRecord);
  return (
    <>
      {isEarlier && <LinkButton to={toPast(location, { ...view, at: firstRecord })}>Show the first record</LinkButton>}
      <LinkButton to={toPresent(location)}>Back to now</LinkButton>
    </>
  );
}
