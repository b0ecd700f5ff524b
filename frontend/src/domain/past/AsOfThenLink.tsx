import { useSyncExternalStore } from 'react';
import type { Event } from '@/api/generated/types';
import { usePastView } from '@/api/pastView';
import { useRecorder } from '@/api/recorded';
import { useSettings } from '@/api/settings';
import { getEventSubject } from '@/domain/events/eventType';
import { clockNow, subscribeClock } from '@/lib/clock';
import { inPast, paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { findTimeAfter } from './describeRecording';

/** Link to the toggle, or to all toggles, after an event. Nothing if its time has no records. */
export function AsOfThenLink({ event }: { event: Event }) {
  const mode = useSettings()?.mode;
  const recorder = useRecorder().data;
  const view = usePastView();
  // The link appears when SDKs have got the change.
  const at = useSyncExternalStore(
    subscribeClock,
    () => recorder && mode && findTimeAfter(event.createdAt, recorder, { mode, now: clockNow() }),
  );
  if (at === undefined) return null;
  const subject = getEventSubject(event);
  const isToggle = subject?.kind === 'toggle';
  return (
    <p>
      <TextLink
        tone="accent"
        to={inPast(isToggle ? paths.toggle(subject.name) : paths.toggles(), { ...view, at })}
        className="inline-flex items-center touch:min-h-touch"
      >
        {isToggle ? 'Toggle as of then' : 'Toggles as of then'}
      </TextLink>
    </p>
  );
}
