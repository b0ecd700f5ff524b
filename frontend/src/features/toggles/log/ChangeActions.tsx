// Buttons of events in the log and in the event history: undo, restore and copy.
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { events as allEvents, feature, featureEvents, featureTags, strategies } from '@/api/endpoints';
import type { Event, Tag, Toggle } from '@/api/generated/types';
import { refreshReads, useAnnouncedRead } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { areStrategiesKnown } from '@/api/newerTypes';
import { pushFailure, pushInfo } from '@/api/notices';
import { usePermission } from '@/api/permissions';
import { ChangeList } from '@/domain/changes/ChangeList';
import { describeToggleChanges } from '@/domain/changes/describeChanges';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import type { EventActions, EventActionsProps } from '@/domain/events/EventRow';
import { getEventSubject } from '@/domain/events/eventType';
import { getEventEnvironment } from '@/domain/events/newerEvents';
import { getToggleVersion } from '@/domain/events/toggleVersions';
import { EffectChip } from '@/domain/impact/EffectChip';
import { getEffect, mayWiden } from '@/domain/impact/effect';
import { EFFECT_WORDS } from '@/domain/impact/effectWords';
import { LostCalls } from '@/domain/impact/LostCalls';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { formatTag, isSameTag } from '@/domain/tags/tags';
import { confirmSwitch, confirmWidening } from '@/domain/toggles/confirmSwitch';
import { cx } from '@/lib/cx';

import { formatExact } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { type Prompt, usePrompt } from '@/lib/prompt';
import { copyActions } from '@/shared/CopyMenu';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { HistoryIcon, MoreIcon, UndoIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import type { MenuAction } from '@/ui/MenuItems';
import { Time } from '@/ui/Time';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { ArchiveDialog } from '../list/ArchiveDialog';
import { ARCHIVED_REASON, GONE_REASON } from '../page/lockedReasons';
import { type ToggleReadState, useToggle, useToggleFinder } from '../page/useToggle';
import { DiffList } from '../saving/DiffList';
import { mergeToggle } from '../saving/mergeToggle';
import { restoreVersion } from '../saving/toggleEdits';
import { useToggleSave } from '../saving/useToggleSave';
import { useToggleWrites } from '../saving/useToggleWrites';
import { useTagWrites } from '../tags/useToggleTags';
import {
  describeUndo,
  findSwitch,
  findUndoEffect,
  findUndoReason,
  isNothingToUndo,
  type MergePlan,
  planUndo,
  type StrategyPlan,
  toMergeInput,
  type UndoPlan,
} from './undoPlan';

type UndoPermission = 'UPDATE_FEATURE' | 'UPDATE_FEATURE_STRATEGY' | 'DELETE_FEATURE';

interface LogActions {
  /** Reasons why the user lacks a permission. */
  reasons: { readonly [permission in UndoPermission]: string | undefined };
  /** Finds the toggle of an event. */
  find: (name: string) => ToggleReadState;
  undo: (toggle: Toggle, event: Event, events: readonly Event[]) => Promise<void>;
  isUndoing: (event: Event) => boolean;
  restore: (event: Event) => void;
}

const ActionsContext = createContext<LogActions | undefined>(undefined);

interface ProviderProps {
  children: ReactNode;
}

/** Provides the actions of the events of all toggles. It reads the lists only, because it would have to read each toggle. */
export function AllChangeActions({ children }: ProviderProps) {
  return <ActionsProvider find={useToggleFinder()}>{children}</ActionsProvider>;
}

/** Provides the actions of the log of one toggle. */
export function ToggleChangeActions({ name, children }: ProviderProps & { name: string }) {
  const found = useToggle(name);
  return <ActionsProvider find={() => found}>{children}</ActionsProvider>;
}

/** The requests, dialogs and state of the actions exist once for all rows of a log. */
function ActionsProvider({ find, children }: ProviderProps & Pick<LogActions, 'find'>) {
  const { undo, isUndoing, dialogs } = useUndo();
  const [restoring, restoreState] = usePrompt<Event>();
  const restored = restoreState && getEventSubject(restoreState.question);
  const subject = restored && find(restored.name);
  const reasons = {
    UPDATE_FEATURE: usePermission('UPDATE_FEATURE'),
    UPDATE_FEATURE_STRATEGY: usePermission('UPDATE_FEATURE_STRATEGY'),
    DELETE_FEATURE: usePermission('DELETE_FEATURE'),
  };
  return (
    <ActionsContext value={{ reasons, find, undo, isUndoing, restore: (event) => void restoring.ask(event) }}>
      {children}
      {dialogs}
      {restoreState && subject && 'toggle' in subject && (
        <RestoreDialog toggle={subject.toggle} event={restoreState.question} prompt={restoring} />
      )}
    </ActionsContext>
  );
}

interface UndoState {
  plan: UndoPlan | undefined;
  subject: ToggleReadState;
  /** The reason why the change cannot be undone now. */
  reason: string | undefined;
  actions: LogActions;
}

/** Returns what an undo of the event would do; undefined for events that are not about a toggle. */
function useUndoState({ event, allEvents, isLog }: EventActionsProps): UndoState | undefined {
  const actions = useContext(ActionsContext);
  const plan = useMemo(() => planUndo(event, allEvents), [event, allEvents]);
  const item = getEventSubject(event);
  if (item?.kind !== 'toggle' || !actions) return undefined;
  const subject = actions.find(item.name);
  const reason =
    actions.reasons[undoPermission(plan)] ?? findUndoReason(plan, subject, isLog, getEventEnvironment(event));
  return { plan, subject, reason, actions };
}

/** Acts at once, because its result can be undone. */
function UndoButton(props: EventActionsProps & { isOpen: boolean }) {
  const { event, allEvents, isOpen } = props;
  const state = useUndoState(props);
  if (!state) return null;
  const { subject, reason, actions } = state;
  // Keeps its place in the order of Tab, and the focus if an undo has disabled it.
  const isHidden = reason !== undefined && (!isOpen || isNothingToUndo(reason));
  return (
    <Button
      size="small"
      icon={<UndoIcon size={14} />}
      busy={actions.isUndoing(event)}
      disabledReason={reason}
      className={cx(isHidden && 'not-focus-visible:sr-only')}
      onClick={() => 'toggle' in subject && void actions.undo(subject.toggle, event, allEvents)}
    >
      <span>
        Undo<VisuallyHidden> this change</VisuallyHidden>
      </span>
    </Button>
  );
}

function UndoEffect(props: EventActionsProps) {
  const state = useUndoState(props);
  if (!state) return null;
  const { plan, subject, reason } = state;
  if (reason !== undefined) return <p className="text-muted">{reason}</p>;
  if (!plan || !('toggle' in subject)) return null;
  const effect = findUndoEffect(plan, subject.toggle);
  return (
    <p className="text-muted">
      {describeUndo(plan, subject.toggle)} {effect && effect !== 'neither' && `It ${EFFECT_WORDS[effect]}.`}{' '}
      {findSwitch(plan, subject.toggle) === false && <LostCalls names={[subject.toggle.name]} />}
    </p>
  );
}

/** Menu of an event, with the version to restore. */
function ChangeMenu(props: EventActionsProps) {
  const { event } = props;
  const actions = useContext(ActionsContext);
  const item = getEventSubject(event);
  const version = getToggleVersion(event);
  if (item?.kind !== 'toggle' || !actions || !version) return <EventMenu event={event} />;
  const restore = {
    id: 'restore',
    label: 'Restore this version',
    icon: <HistoryIcon />,
    disabledReason: actions.reasons.UPDATE_FEATURE ?? findRestoreReason(actions.find(item.name), version),
    onSelect: () => actions.restore(event),
  };
  return <EventMenu event={event} items={[restore]} />;
}

/** What users can do with an event. Needs a provider above the log. */
export const changeActions: EventActions = { Undo: UndoButton, UndoEffect, Menu: ChangeMenu };

function undoPermission(plan: UndoPlan | undefined): UndoPermission {
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
  const { save, conflict } = useToggleSave();
  const definitions = useAnnouncedRead(strategies).data?.strategies;
  const locale = useLocale();
  const segmentName = useSegmentName(
    [toggle, restoreVersion(toggle, getToggleVersion(event) ?? {})].flatMap((one) => one.strategies),
  );
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
          <ChangeList changes={describeToggleChanges(toggle, back(toggle), { definitions, locale, segmentName })} />
          <p className="mt-2">
            <EffectChip effect={getEffect(toggle, back(toggle))} />
          </p>
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

interface EventMenuProps {
  event: Event;
  /** Actions before those that copy the event. */
  items?: readonly MenuAction[];
}

/** Menu of one event. */
function EventMenu({ event, items = [] }: EventMenuProps) {
  const copies = copyActions({ json: () => event });
  const locale = useLocale();
  const at = Date.parse(event.createdAt);
  return (
    <Menu
      label={`Actions for the event of ${Number.isNaN(at) ? 'an unknown time' : formatExact(at, locale)}`}
      trigger={{ icon: <MoreIcon /> }}
      items={[...items, ...(items.length > 0 ? [{ separator: true as const }] : []), ...copies]}
    />
  );
}

/** Undoes the change of an event. Later changes are kept. */
function useUndo() {
  const { fetchFresh } = useWrite();
  const { save, conflict } = useToggleSave();
  const { revive } = useToggleWrites();
  const { add, remove } = useTagWrites();
  const [archiving, archiveState] = usePrompt<Toggle>();
  const [running, setRunning] = useState<readonly number[]>([]);

  /** Undoes an event of `toggle`. `events` may contain its previous version, otherwise the toggle's log is read. */
  async function undo(toggle: Toggle, event: Event, events: readonly Event[]): Promise<void> {
    const { name } = toggle;
    setRunning((ids) => [...ids, event.id]);
    try {
      const plan = planUndo(event, events) ?? planUndo(event, (await fetchFresh(featureEvents(name))).events);
      if (!plan) throw new Error(`Could not undo: the log of ${name} does not contain the version before this change.`);
      const current = areStrategiesKnown(toggle) ? toggle : await fetchFresh(feature(name));
      await run(current, plan);
      refreshReads([allEvents, featureEvents(name)]);
    } catch (failure) {
      pushFailure(failure);
    } finally {
      setRunning((ids) => ids.filter((id) => id !== event.id));
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
        return (
          (!plan.enabled || (await confirmSwitch(toggle.name, true))) && revive({ ...toggle, enabled: plan.enabled })
        );
      case 'tag':
        return setTag(toggle.name, plan.tag, true);
      case 'untag':
        return setTag(toggle.name, plan.tag, false);
    }
  }

  async function merge(toggle: Toggle, plan: MergePlan | StrategyPlan): Promise<unknown> {
    const { base, mine } = toMergeInput(toggle, plan);
    const { enabled } = mergeToggle(base, mine, toggle).merged;
    if (enabled !== toggle.enabled) {
      if (!(await confirmSwitch(toggle.name, enabled))) return false;
    } else {
      const effect = findUndoEffect(plan, toggle);
      const asks = effect !== undefined && mayWiden(effect);
      if (asks && !(await confirmWidening(toggle.name, effect, describeUndo(plan, toggle)))) return false;
    }
    return save(base, () => mine, { purpose: 'undo' });
  }

  async function setTag(name: string, tag: Tag, present: boolean): Promise<void> {
    const { tags } = await fetchFresh(featureTags(name));
    if (tags.some((one) => isSameTag(one, tag)) !== present)
      return present ? add(name, tag, false) : remove(name, tag, false);
    pushInfo(`Nothing to undo: ${name} ${present ? 'has' : 'does not have'} the tag ${formatTag(tag)}.`);
  }

  const dialogs = (
    <>
      {conflict}
      {archiveState && <ArchiveDialog prompt={archiving} toggle={archiveState.question} />}
    </>
  );
  return { undo, isUndoing: ({ id }: Event) => running.includes(id), dialogs };
}
