// Undoes the change of one event. Later changes are kept.
import { useState } from 'react';
import { events as allEvents, feature, featureEvents, featureTags } from '@/api/endpoints';
import type { Event, Tag, Toggle } from '@/api/generated/types';
import { refreshReads, useWrite } from '@/api/hooks';
import { areStrategiesKnown } from '@/api/newerTypes';
import { pushFailure, pushInfo } from '@/api/notices';
import { formatTag, isSameTag } from '@/domain/tags/tags';
import { confirmSwitch } from '@/domain/toggles/confirmSwitch';
import { usePrompt } from '@/lib/prompt';
import { ArchiveDialog } from '../list/ArchiveDialog';
import { mergeToggle } from '../saving/mergeToggle';
import { useToggleSave } from '../saving/useToggleSave';
import { useToggleWrites } from '../saving/useToggleWrites';
import { useTagWrites } from '../tags/useToggleTags';
import { type MergePlan, planUndo, type StrategyPlan, toMergeInput, type UndoPlan } from './undoPlan';

export function useUndo(name: string) {
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
