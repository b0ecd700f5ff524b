// Applies a plan with the requests of all other changes of the console, one after the other: they need the permissions of the
// user, and the history and the journal name the user.
import { createFeature, events, feature, featureEvents, features } from '@/api/endpoints';
import { selectedEnvironment } from '@/api/environment';
import { ApiError } from '@/api/error';
import type { NamedText, ReviewedChange, Toggle } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';
import { addToggle } from '@/api/toggles';
import { confirmPlan } from '@/domain/toggles/confirmSwitch';
import { assertHasStrategy, withPositions } from '@/domain/toggles/serverRules';
import { usePutToggle } from '@/domain/toggles/usePutToggle';
import { sendRevival } from '@/domain/toggles/useRevive';
import { userSignal } from '@/lib/store';
import { countChanges, describeProgress } from './describePlan';
import { type OpenPlan, openPlan, setResult, updatePlan } from './planState';
import { type Reviewed, reviewFiles } from './reviewFiles';

const NOT_STORED = 'Saved, but the server does not store it as planned.';
const CHANGED_NOW = 'It changed while the plan was applied.';

/** Returns a function that applies the changes of a plan that are not applied yet; `isPartial`: if others are outdated, too. */
export function useApplyPlan() {
  const { send, fetchFresh } = useWrite();
  const putToggle = usePutToggle();

  async function writeChange({ name, action, body, after }: ReviewedChange, before: Toggle | undefined): Promise<void> {
    if (action === 'create') {
      assertHasStrategy(body);
      await send(createFeature, {
        body: withPositions(body),
        patches: (created) => (created ? [() => addToggle(created)] : []),
        refreshes: [features, featureEvents(name), events],
        inline: true,
      });
      return;
    }
    if (action === 'revive') await sendRevival(send, after, { inline: true });
    const stored = before ?? (await fetchFresh(feature(name), { inline: true }));
    await putToggle({ ...stored, ...body }, stored, { inline: true });
  }

  /** Applies changes in their order. Returns the reason why it stopped. */
  async function writeAll({ review, toggles }: Reviewed, { environment }: OpenPlan, isPartial: boolean) {
    const user = userSignal();
    for (const change of review.changes) {
      if (change.status !== 'ready') continue;
      const { name } = change;
      if (openPlan.get()?.phase === 'stopping') return 'You stopped it.';
      if (selectedEnvironment() !== environment) return 'You selected another environment.';
      setResult(name, 'applying');
      try {
        await writeChange(change, toggles.get(name));
        setResult(name, 'applied');
      } catch (failure) {
        user.throwIfAborted();
        const isOutdated = failure instanceof ApiError && failure.status === 412;
        setResult(name, { failure: isOutdated ? CHANGED_NOW : messageOf(failure) });
        if (!(isOutdated && isPartial)) return `${name} could not be changed. The changes after it were not tried.`;
      }
    }
    return undefined;
  }

  async function run(plan: OpenPlan, isPartial: boolean): Promise<void> {
    const { reviewed, target } = plan;
    const files: NamedText[] = [{ name: 'plan.json', text: JSON.stringify(reviewed.review.plan) }];
    const fresh = await reviewFiles(files, target);
    const isNew = describeNews(reviewed, fresh, isPartial);
    if (isNew !== undefined) return updatePlan({ reviewed: fresh, problem: isNew });
    const problem = await writeAll(fresh, plan, isPartial);
    updatePlan({ problem });
    // Compares what is stored with the plan. The words of the changes stay.
    const after = await reviewFiles(files, target);
    const statuses = new Map(after.review.changes.map(({ name, status }) => [name, status]));
    for (const [name, result] of openPlan.get()?.results ?? []) {
      if (result === 'applied' && statuses.get(name) !== 'applied') setResult(name, { failure: NOT_STORED });
    }
    const changes = reviewed.review.changes.map((change) => ({
      ...change,
      status: statuses.get(change.name) ?? change.status,
    }));
    updatePlan({ reviewed: { ...after, review: { ...reviewed.review, changes } } });
    // Also for a user who visits another page meanwhile.
    pushInfo(`Plan: ${describeProgress({ changes }, openPlan.get()?.results ?? new Map())}.`);
  }

  return async (plan: OpenPlan, isPartial: boolean): Promise<void> => {
    const ready = plan.reviewed.review.changes.filter(({ status }) => status === 'ready');
    const widening = ready.filter(({ effect }) => effect === 'widens').length;
    const impact = widening > 0 ? `${countChanges(widening)} of ${ready.length} may widen it.` : undefined;
    if (!(await confirmPlan(countChanges(ready.length), impact)) || openPlan.get() !== plan) return;
    const user = userSignal();
    updatePlan({ phase: 'applying', problem: undefined, results: new Map() });
    try {
      await run(plan, isPartial);
    } catch (failure) {
      if (!user.aborted) updatePlan({ problem: messageOf(failure) });
    } finally {
      if (!user.aborted) updatePlan({ phase: 'review' });
    }
  };
}

/** Describes what the user has not seen yet, so that nothing is written; undefined if there is nothing. */
function describeNews({ review: seen }: Reviewed, { review: fresh }: Reviewed, isPartial: boolean): string | undefined {
  const known = new Map(seen.changes.map((change) => [change.name, change]));
  const isOutdated = ({ name, status }: ReviewedChange) =>
    status === 'outdated' && !(isPartial && known.get(name)?.status === 'outdated');
  const outdated = fresh.changes.filter(isOutdated);
  if (outdated.length > 0) return 'Nothing was changed: toggles have changed since the review.';
  const isOther = ({ name, status, effect }: ReviewedChange) =>
    status === 'ready' && known.get(name)?.status === 'ready' && known.get(name)?.effect !== effect;
  return fresh.changes.some(isOther)
    ? 'Nothing was changed: the effect of changes is another one since the review. Review them again.'
    : undefined;
}

function messageOf(failure: unknown): string {
  if (failure instanceof ApiError) return failure.noticeText;
  return failure instanceof Error ? failure.message : String(failure);
}
