// Buttons of an event in the log and in the event history.
import type { Permission } from '@/api/disabledReason';
import type { Event, Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { EventMenu } from '@/domain/events/EventMenu';
import type { EventActionsProps } from '@/domain/events/EventRow';
import { getEventSubject } from '@/domain/events/eventType';
import { getEventEnvironment } from '@/domain/events/newerEvents';
import { getToggleVersion } from '@/domain/events/toggleVersions';
import { usePrompt } from '@/lib/prompt';
import { Button } from '@/ui/Button';
import { HistoryIcon, UndoIcon } from '@/ui/icons';
import { ARCHIVED_REASON, GONE_REASON } from '../page/lockedReasons';
import { type ToggleResult, useToggle } from '../page/useToggle';
import { restoreVersion } from '../saving/toggleEdits';
import { RestoreDialog } from './RestoreDialog';
import { findUndoReason, planUndo, type UndoPlan } from './undoPlan';
import { useUndo } from './useUndo';

export function ChangeActions(props: EventActionsProps) {
  const subject = getEventSubject(props.event);
  if (subject?.kind !== 'toggle') return <EventMenu {...props} />;
  return <ToggleChangeActions name={subject.name} {...props} />;
}

function ToggleChangeActions({ name, ...props }: EventActionsProps & { name: string }) {
  const { event, allEvents, isLog } = props;
  // The history of all toggles would read each of them.
  const subject = useToggle(name, { isRowEnough: !isLog });
  const toggle = 'toggle' in subject ? subject.toggle : undefined;
  const [restoring, restoreState] = usePrompt<Event>();
  const updateReason = usePermission('UPDATE_FEATURE');
  const version = getToggleVersion(event);
  const restore = {
    id: 'restore',
    label: 'Restore this version',
    icon: <HistoryIcon />,
    disabledReason: updateReason ?? findRestoreReason(subject, version),
    onSelect: () => void restoring.ask(event),
  };
  return (
    <>
      <UndoButton event={event} allEvents={allEvents} isLog={isLog} name={name} subject={subject} />
      <EventMenu {...props} items={version ? [restore] : []} />
      {toggle && restoreState && <RestoreDialog toggle={toggle} event={restoreState.question} prompt={restoring} />}
    </>
  );
}

interface UndoProps extends Omit<EventActionsProps, 'eventHref'> {
  name: string;
  subject: ToggleResult;
}

/** Acts at once, because its result can be undone. */
function UndoButton({ event, allEvents, isLog, name, subject }: UndoProps) {
  const { undo, busy, dialogs } = useUndo(name);
  const plan = planUndo(event, allEvents);
  const permissionReason = usePermission(undoPermission(plan));
  return (
    <>
      <Button
        variant="ghost"
        size="small"
        icon={<UndoIcon size={14} />}
        busy={busy}
        disabledReason={permissionReason ?? findUndoReason(plan, subject, isLog, getEventEnvironment(event))}
        onClick={() => 'toggle' in subject && void undo(subject.toggle, event, allEvents)}
      >
        <span>
          Undo<span className="max-sm:sr-only"> this change</span>
        </span>
      </Button>
      {dialogs}
    </>
  );
}

function undoPermission(plan: UndoPlan | undefined): Permission {
  if (plan?.kind === 'archive') return 'DELETE_FEATURE';
  return plan?.kind === 'strategy' ? 'UPDATE_FEATURE_STRATEGY' : 'UPDATE_FEATURE';
}

function findRestoreReason(subject: ToggleResult, version: Toggle | undefined): string | undefined {
  if (subject.state === 'archived') return ARCHIVED_REASON;
  if (subject.state !== 'live') return GONE_REASON;
  const isCurrent = version && jsonDiff(subject.toggle, restoreVersion(subject.toggle, version)).length === 0;
  return isCurrent ? 'This is the current version.' : undefined;
}
