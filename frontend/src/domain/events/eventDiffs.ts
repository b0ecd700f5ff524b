// The differences that an event made, for display.
import type { Event, Strategy, Toggle } from '@/api/generated/types';
import { omitServerDiffs, omitServerFields } from '@/domain/changes/serverFields';
import { type DiffGroup, diffNewToggle, diffToggles, readableDiff } from '@/domain/changes/toggleDiffs';
import { getToggleAction } from './eventType';
import { getStrategyChange, type StrategyChange } from './newerEvents';
import { findVersionBefore, getToggleVersion } from './toggleVersions';

/** Returns the differences from the previous version, or all data of an event without a previous version. */
export function findEventDiffs(event: Event, events: readonly Event[], locale: string): readonly DiffGroup[] {
  const { data, diffs } = event;
  const change = getStrategyChange(event);
  if (change) return diffStrategyChange(change, locale);
  const after = getToggleVersion(event);
  const before = after && findVersionBefore(event, events);
  if (before) return diffToggles(before, after, locale);
  if (after && !diffs) return diffNewToggle(after, locale);
  // Their data is only the name, so servers report all fields as removed or added.
  if (isArchiveEvent(event)) return [];
  const others = diffs ? omitServerDiffs(diffs) : readableDiff({}, omitServerFields(data ?? {}));
  return others.length > 0 ? [{ subject: diffs ? 'Changes' : 'Data', diffs: others }] : [];
}

function diffStrategyChange({ before, after }: StrategyChange, locale: string): readonly DiffGroup[] {
  const parts = (strategy: Strategy | undefined) => ({ strategies: strategy ? [strategy] : [], variants: [] });
  return diffToggles(parts(before), parts(after) as Partial<Toggle> as Toggle, locale);
}

function isArchiveEvent(event: Event): boolean {
  return ['archived', 'revived'].includes(getToggleAction(event) ?? '');
}
