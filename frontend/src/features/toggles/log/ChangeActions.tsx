// Buttons of an event in the log and in the event history.
import { useState } from 'react';
import type { KnownPermission } from '@/api/disabledReason';
import { events as allEvents, feature, featureEvents, featureTags, strategies } from '@/api/endpoints';
import type { Event, Tag, Toggle } from '@/api/generated/types';
import { refreshReads, useRead, useWrite } from '@/api/hooks';
import { areStrategiesKnown } from '@/api/newerTypes';
import { pushFailure, pushInfo } from '@/api/notices';
import { usePermission } from '@/api/permissions';
import { describeToggleChanges } from '@/domain/changes/describeChanges';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import type { EventActionsProps } from '@/domain/events/EventRow';
import { eventToMarkdown } from '@/domain/events/eventMarkdown';
import { getEventSubject } from '@/domain/events/eventType';
import { getEventEnvironment } from '@/domain/events/newerEvents';
import { getToggleVersion } from '@/domain/events/toggleVersions';
import { formatTag, isSameTag } from '@/domain/tags/tags';
import { confirmSwitch } from '@/domain/toggles/confirmSwitch';
import { useLocale } from '@/lib/locale';
import { type Prompt, usePrompt } from '@/lib/prompt';
import { copyActions, toAbsoluteUrl } from '@/shared/CopyMenu';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { HistoryIcon, MoreIcon, UndoIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import type { MenuAction } from '@/ui/MenuItems';
import { Time } from '@/ui/Time';
import { ArchiveDialog } from '../list/ArchiveDialog';
import { ARCHIVED_REASON, GONE_REASON } from '../page/lockedReasons';
import { type ToggleReadState, useToggle } from '../page/useToggle';
import { ChangeList, DiffList } from '../saving/DiffList';
import { mergeToggle } from '../saving/mergeToggle';
import { restoreVersion } from '../saving/toggleEdits';
import { useToggleSave } from '../saving/useToggleSave';
import { useToggleWrites } from '../saving/useToggleWrites';
import { useTagWrites } from '../tags/useToggleTags';
import { findUndoReason, type MergePlan, planUndo, type StrategyPlan, toMergeInput, type UndoPlan } from './undoPlan';

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
  subject: ToggleReadState;
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

function undoPermission(plan: UndoPlan | undefined): KnownPermission {
  if (plan?.kind === 'archive') return 'DELETE_FEATURE';
  return plan?.kind === 'strategy' ? 'UPDATE_FEATURE_STRATEGY' : 'UPDATE_FEATURE';
}

function findRestoreReason(subject: ToggleReadState, version: Toggle | undefined): string | undefined {
  if (subject.state === 'archived') return ARCHIVED_REASON;
  if (subject.state !== 'live') return GONE_REASON;
  const isCurrent = version && jsonDiff(subject.toggle, restoreVersion(subject.toggle, version)).length === 0;
  return isCurrent ? 'This is the current version.' : undefined;
}

interface RestoreDialogProps {
  toggle: Toggle;
  /** Event that contains the whole toggle. */
  event: Event;
  prompt: Prompt<Event>;
}

/** Confirms restoring a version and shows its changes. */
function RestoreDialog({ toggle, event, prompt }: RestoreDialogProps) {
  const { save, conflict } = useToggleSave(toggle);
  const definitions = useRead(strategies).data?.strategies;
  const locale = useLocale();
  const back = (one: Toggle) => restoreVersion(one, getToggleVersion(event) ?? {});
  return (
    <ConfirmDialog
      prompt={prompt}
      title={`Restore ${toggle.name}`}
      body={
        <>
          <p>
            Returns to the version after <b className="wrap-anywhere text-text">{event.createdBy}</b>’s change,{' '}
            <Time value={event.createdAt} />. The change takes effect immediately.
          </p>
          <h3 className="mt-4 mb-1.5 font-semibold text-secondary text-text">Changes</h3>
          <ChangeList changes={describeToggleChanges(toggle, back(toggle), definitions, locale)} />
          <details className="mt-4 min-w-0">
            <summary className="font-semibold text-secondary text-text">JSON diff</summary>
            <div className="mt-2 max-h-80 overflow-y-auto rounded-control bg-sunken p-3">
              <DiffList diffs={jsonDiff(toggle, back(toggle))} />
            </div>
          </details>
          {conflict}
        </>
      }
      confirmLabel="Restore"
      action={async () => {
        if (!(await save(toggle, back, { inline: true }))) throw new Error('Restore cancelled. Nothing was changed.');
      }}
    />
  );
}

interface EventMenuProps extends Omit<EventActionsProps, 'isLog'> {
  /** Actions before those that copy the event. */
  items?: readonly MenuAction[];
}

/** Menu of one event. Servers cannot return a single event, so the copied call reads the shortest list that contains it. */
function EventMenu({ event, allEvents: events, eventHref, items = [] }: EventMenuProps) {
  const subject = getEventSubject(event);
  const copies = copyActions({
    json: () => event,
    calls: [{ label: 'curl', call: subject?.kind === 'toggle' ? featureEvents(subject.name) : allEvents }],
    markdown: () => eventToMarkdown(event, events, (one: Event) => toAbsoluteUrl(eventHref(one))),
  });
  return (
    <Menu
      label={`Actions for event ${event.id}`}
      trigger={{ icon: <MoreIcon /> }}
      items={[...items, ...(items.length > 0 ? [{ separator: true as const }] : []), ...copies]}
    />
  );
}

/** Undoes the change of one event. Later changes are kept. */
function useUndo(name: string) {
  const { fetchFresh } = useWrite();
  const { save, conflict } = useToggleSave({ name });
  const { revive } = useToggleWrites();
  const { add, remove } = useTagWrites(name);
  const [archiving, archiveState] = usePrompt<Toggle>();
  const [busy, setBusy] = useState(false);

  /** Undoes an event of `toggle`. `events` may contain its previous version, otherwise the toggle's log is read. */
  async function undo(toggle: Toggle, event: Event, events: readonly Event[]): Promise<void> {
    setBusy(true);
    try {
      const plan = planUndo(event, events) ?? planUndo(event, (await fetchFresh(featureEvents(name))).events);
      if (!plan) throw new Error(`Could not undo: the log of ${name} does not contain the version before this change.`);
      const current = areStrategiesKnown(toggle) ? toggle : await fetchFresh(feature(name));
      await run(current, plan);
      refreshReads([allEvents, featureEvents(name)]);
    } catch (failure) {
      pushFailure(failure);
    } finally {
      setBusy(false);
    }
  }

  async function run(toggle: Toggle, plan: UndoPlan): Promise<unknown> {
    switch (plan.kind) {
      case 'merge':
      case 'strategy':
        return merge(toggle, plan);
      case 'archive':
        return archiving.ask(toggle);
      case 'revive':
        return (!plan.enabled || (await confirmSwitch(name, true))) && revive({ ...toggle, enabled: plan.enabled });
      case 'tag':
        return setTag(plan.tag, true);
      case 'untag':
        return setTag(plan.tag, false);
    }
  }

  async function merge(toggle: Toggle, plan: MergePlan | StrategyPlan): Promise<unknown> {
    const { base, mine } = toMergeInput(toggle, plan);
    const { enabled } = mergeToggle(base, mine, toggle).toggle;
    if (enabled !== toggle.enabled && !(await confirmSwitch(name, enabled))) return false;
    return save(base, () => mine, { isUndo: true });
  }

  async function setTag(tag: Tag, present: boolean): Promise<void> {
    const { tags } = await fetchFresh(featureTags(name));
    if (tags.some((one) => isSameTag(one, tag)) !== present) return present ? add(tag, false) : remove(tag, false);
    pushInfo(`Nothing to undo: ${name} ${present ? 'has' : 'does not have'} the tag ${formatTag(tag)}.`);
  }

  const dialogs = (
    <>
      {conflict}
      {archiveState && <ArchiveDialog prompt={archiving} toggle={archiveState.question} />}
    </>
  );
  return { undo, busy, dialogs };
}
