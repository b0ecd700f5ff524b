// Decides how to undo an event of a toggle, and why it cannot be undone.
import { currentCapabilities } from '@/api/capabilities';
import { currentServerEnvironment } from '@/api/environment';
import type { Event, Strategy, Tag, Toggle } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import { omitServerFields } from '@/domain/changes/serverFields';
import { getToggleAction } from '@/domain/events/eventType';
import { getChangedPart, getStrategyChange, type StrategyChange } from '@/domain/events/newerEvents';
import { findVersionBefore, getPartialChange, getToggleVersion } from '@/domain/events/toggleVersions';
import { type Effect, getEffect, getTagEffect } from '@/domain/impact/effect';
import { formatTag } from '@/domain/tags/tags';
import { isJsonObject, isUnsetOrEmpty, jsonEqual } from '@/lib/json';
import { ARCHIVED_REASON, GONE_REASON } from '../page/lockedReasons';
import { mergeToggle } from '../saving/mergeToggle';
import { restoreVersion } from '../saving/toggleEdits';

export interface MergePlan {
  kind: 'merge';
  before: Partial<Toggle>;
  after: Partial<Toggle>;
}

/** Undoes the change of one strategy, which a newer server logs. */
export interface StrategyPlan extends StrategyChange {
  kind: 'strategy';
}

export type UndoPlan =
  | MergePlan
  | StrategyPlan
  /** Undoes creating or reviving the toggle. */
  | { kind: 'archive' }
  | { kind: 'revive'; enabled: boolean }
  | { kind: 'tag' | 'untag'; tag: Tag };

/** Returns how to undo an event; undefined if the version before it is unknown. */
export function planUndo(event: Event, events: readonly Event[]): UndoPlan | undefined {
  switch (getToggleAction(event)) {
    case 'created':
    case 'revived':
      return { kind: 'archive' };
    case 'archived':
      return { kind: 'revive', enabled: findVersionBefore(event, events)?.enabled ?? false };
    case 'tagged':
    case 'untagged':
      return planTag(event);
    default:
      return planMerge(event, events);
  }
}

function planTag(event: Event): UndoPlan | undefined {
  const tag = event.data?.['tag'];
  if (!isJsonObject(tag)) return undefined;
  const { type, value } = tag;
  if (typeof type !== 'string' || typeof value !== 'string') return undefined;
  return { kind: getToggleAction(event) === 'tagged' ? 'untag' : 'tag', tag: { type, value } };
}

function planMerge(event: Event, events: readonly Event[]): UndoPlan | undefined {
  const change = getStrategyChange(event);
  if (change) return { kind: 'strategy', ...change };
  const after = getToggleVersion(event);
  const before = after && findVersionBefore(event, events);
  if (before) return { kind: 'merge', before, after };
  // Newer servers log the changed part.
  const part = getChangedPart(event);
  if (part) return { kind: 'merge', ...part };
  const set = after ? {} : getPartialChange(event);
  const flags = Object.entries(set ?? {});
  if (flags.length === 0) return undefined;
  const inverse = Object.fromEntries(flags.map(([flag, value]) => [flag, !value]));
  return { kind: 'merge', before: inverse, after: { ...set } };
}

/** Returns the versions after and before the change, with the current values of fields that the event lacks. */
export function toMergeInput(toggle: Toggle, plan: MergePlan | StrategyPlan) {
  if (plan.kind === 'strategy') return toStrategyInput(toggle, plan);
  const { before, after } = plan;
  return { base: restoreVersion(toggle, after), mine: restoreVersion(toggle, before) };
}

function toStrategyInput(toggle: Toggle, { before, after }: StrategyPlan) {
  const id = after?.id ?? before?.id;
  const withVersion = (version: Strategy | undefined): Toggle => {
    const others = toggle.strategies.filter((strategy) => strategy.id !== id);
    if (!version) return { ...toggle, strategies: others };
    const isStored = others.length < toggle.strategies.length;
    const { id: _, ...added } = version;
    const replace = (strategy: Strategy) =>
      strategy.id === id ? { ...strategy, ...keepEmptyProperties(version, strategy) } : strategy;
    return { ...toggle, strategies: isStored ? toggle.strategies.map(replace) : [...others, added] };
  };
  return { base: withVersion(after), mine: withVersion(before) };
}

/** Keeps the stored form of properties that are empty in both: events contain null or [], toggles "" or nothing. */
function keepEmptyProperties(version: Strategy, stored: Strategy): Partial<Strategy> {
  const storedProperties: Record<string, unknown> = { ...stored };
  const isKept = ([key, value]: [string, unknown]) => isUnsetOrEmpty(value) && isUnsetOrEmpty(storedProperties[key]);
  return Object.fromEntries(Object.entries(version).filter((property) => !isKept(property)));
}

/** The toggle of the event. */
export type UndoSubject =
  | { state: 'live' | 'archived'; toggle: Toggle }
  | { state: 'loading' | 'failed' | 'unsupported' | 'missing' };

/** Unleash 4.2 logs the environment, but its users cannot select one. */
const PART_REASON =
  'The server logs this change as several events. Undo the event “Toggle updated” or “Toggle created” of the same change.';

const NOTHING_TO_UNDO = 'Nothing to undo: ';

/** Returns whether a reason means that the change is no longer there. */
export function isNothingToUndo(reason: string): boolean {
  return reason.startsWith(NOTHING_TO_UNDO);
}

/** Returns why the event cannot be undone now; undefined if it can, or if that is only known after a request. */
export function findUndoReason(
  plan: UndoPlan | undefined,
  subject: UndoSubject,
  isLog: boolean,
  environment?: string,
): string | undefined {
  if (plan && environment !== undefined) {
    if (!currentCapabilities().hasEnvironments) return PART_REASON;
    if (environment !== currentServerEnvironment()?.name)
      return `This change was made in ${environment}. Select that environment to undo it.`;
  }
  if (!plan && isLog) return 'The log does not contain the version before this change.';
  switch (subject.state) {
    case 'live':
      return plan && findLiveReason(plan, subject.toggle);
    case 'archived':
      if (plan?.kind === 'archive') return `${NOTHING_TO_UNDO}the toggle is archived.`;
      return plan?.kind === 'revive' ? undefined : ARCHIVED_REASON;
    case 'missing':
      return GONE_REASON;
    default:
      return 'The toggle is not loaded.';
  }
}

function findLiveReason(plan: UndoPlan, toggle: Toggle): string | undefined {
  if (plan.kind === 'revive') return `${NOTHING_TO_UNDO}the toggle was revived.`;
  if (plan.kind !== 'merge' && plan.kind !== 'strategy') return undefined;
  // The undo reads the toggle first.
  if (!areStrategiesKnown(toggle)) return undefined;
  const { base, mine } = toMergeInput(toggle, plan);
  const { merged, conflicts } = mergeToggle(base, mine, toggle);
  if (conflicts.length > 0 || !jsonEqual(omitServerFields(merged), omitServerFields(toggle))) return undefined;
  return jsonEqual(base, mine)
    ? `${NOTHING_TO_UNDO}this event changed nothing.`
    : `${NOTHING_TO_UNDO}the toggle no longer contains this change.`;
}

/** Describes the effect of an undo that is possible. */
export function describeUndo(plan: UndoPlan, toggle: Toggle): string {
  switch (plan.kind) {
    case 'archive':
      return 'Undo archives the toggle, after a confirmation.';
    case 'revive':
      return `Undo revives the toggle${plan.enabled ? ' and switches it on' : ''}.`;
    case 'tag':
      return `Undo adds the tag ${formatTag(plan.tag)}.`;
    case 'untag':
      return `Undo removes the tag ${formatTag(plan.tag)}.`;
    default: {
      const { base, mine } = toMergeInput(toggle, plan);
      if (mergeToggle(base, mine, toggle).conflicts.length > 0) {
        return 'Later changes conflict with an undo. You choose which values to keep.';
      }
      const isOn = findSwitch(plan, toggle);
      if (isOn !== undefined) return `Undo switches the toggle ${isOn ? 'on' : 'off'}.`;
      return 'Undo restores the values before this change. Later changes are kept.';
    }
  }
}

/** Returns the state to which an undo would switch the toggle; undefined if it stays. */
export function findSwitch(plan: UndoPlan, toggle: Toggle): boolean | undefined {
  if (plan.kind !== 'merge' && plan.kind !== 'strategy') return undefined;
  if (!areStrategiesKnown(toggle)) return undefined;
  const { base, mine } = toMergeInput(toggle, plan);
  const { enabled } = mergeToggle(base, mine, toggle).merged;
  return enabled === toggle.enabled ? undefined : enabled;
}

/** Returns the effect of an undo on who gets the feature; undefined if it has none, or is not known. */
export function findUndoEffect(plan: UndoPlan, toggle: Toggle): Effect | undefined {
  if (!areStrategiesKnown(toggle)) return undefined;
  switch (plan.kind) {
    case 'archive':
      return getEffect(toggle, undefined);
    case 'revive':
      return getEffect(undefined, { ...toggle, enabled: plan.enabled });
    case 'tag':
    case 'untag':
      return getTagEffect(toggle, plan.kind === 'tag');
    default: {
      const { base, mine } = toMergeInput(toggle, plan);
      const { conflicts, merged } = mergeToggle(base, mine, toggle);
      return conflicts.length > 0 ? undefined : getEffect(toggle, merged);
    }
  }
}
