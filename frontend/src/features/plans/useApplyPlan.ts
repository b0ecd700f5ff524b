// Applies a plan with the requests of all other changes of the console, one after the other: they need the permissions of the
// user, and the history and the journal name the user.
import { countAction } from '@/api/authState';
import { currentCapabilities } from '@/api/capabilities';
import { read } from '@/api/client';
import {
  createFeature,
  createTagType,
  events,
  feature,
  featureEvents,
  features,
  featureTags,
  tagTypes,
} from '@/api/endpoints';
import { selectedEnvironment } from '@/api/environment';
import { ApiError } from '@/api/error';
import type { NamedText, ReviewedChange, Tag, Toggle } from '@/api/generated/types';
import { useWrite } from '@/api/useWrite';
import { MANAGED_BY } from '@/api/managedToggles';
import { pushInfo } from '@/api/notices';
import { strongTagOf } from '@/api/representations';
import { addToggle } from '@/api/toggles';
import { mayWiden } from '@/domain/impact/effect';
import { assertTagAddressable, isSameTag } from '@/domain/tags/tags';
import { sendTag, sendUntag } from '@/domain/tags/tagWrites';
import { confirmPlan } from '@/domain/toggles/confirmSwitch';
import { sendArchival } from '@/domain/toggles/sendArchival';
import { assertHasStrategy, withPositions } from '@/domain/toggles/serverRules';
import { usePutToggle } from '@/domain/toggles/usePutToggle';
import { sendRevival } from '@/domain/toggles/useRevive';
import { userSignal } from '@/lib/store';
import { guardClose } from '@/lib/useLeaveGuard';
import { countChanges, describeProgress, findMissingTypes } from './describePlan';
import { type OpenPlan, openPlan, setResult, updatePlan } from './planState';
import { FileProblemsError, type Reviewed, reviewFiles } from './reviewFiles';

const NOT_STORED = 'Saved, but the server does not store it as planned.';
const CHANGED_NOW = 'It changed while the plan was applied.';

/** The toggle changed after its review, and the server cannot check it. */
class OutdatedError extends Error {}

/** Returns a function that applies the changes of a plan that are not applied yet; `isPartial`: if others are outdated, too. */
export function useApplyPlan() {
  const { send: sendAny, fetchFresh } = useWrite();
  const putToggle = usePutToggle();
  const send: typeof sendAny = (call, options) => sendAny(call, { ...options, appliesFiles: true });

  async function writeChange(change: ReviewedChange, before: Toggle | undefined): Promise<void> {
    const { name, action, tags, managedBy, hasOnlyTags } = change;
    if (action === 'archive') return archive(name, before);
    if (!hasOnlyTags) await writeToggle(change, before);
    if (tags || managedBy !== null) await writeTags(change);
  }

  async function writeToggle({ name, action, body, after }: ReviewedChange, before: Toggle | undefined): Promise<void> {
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
    // The comparison after all changes reads the stored toggles.
    await putToggle({ ...stored, ...body }, stored, { inline: true, appliesFiles: true, skipsRead: true });
  }

  async function archive(name: string, before: Toggle | undefined): Promise<void> {
    const tag = before && strongTagOf(before);
    const { hasEnvironments } = currentCapabilities();
    if (tag !== undefined && hasEnvironments) {
      // Requests that archive toggles of these servers have no condition.
      const now = strongTagOf(await fetchFresh(feature(name), { inline: true }));
      if (now !== tag) throw new OutdatedError();
    }
    await sendArchival(send, name, { inline: true, ifMatch: hasEnvironments ? undefined : tag });
  }

  /** Adds and removes tags until the toggle has the planned ones. Those that the files do not own are kept. */
  async function writeTags({ name, tags, managedBy }: ReviewedChange): Promise<void> {
    const { tags: stored } = await fetchFresh(featureTags(name), { inline: true });
    const isMark = ({ type }: Tag) => type === MANAGED_BY;
    const own = tags ?? stored.filter((tag) => !isMark(tag));
    const planned = [
      ...own,
      ...(managedBy === null ? stored.filter(isMark) : [{ type: MANAGED_BY, value: managedBy }]),
    ];
    const isIn = (all: readonly Tag[], tag: Tag) => all.some((one) => isSameTag(one, tag));
    for (const tag of planned.filter((one) => !isIn(stored, one))) await sendTag(send, name, tag, true);
    for (const tag of stored.filter((one) => !isIn(planned, one))) {
      assertTagAddressable(tag);
      await sendUntag(send, name, tag, true);
    }
  }

  /** Creates the tag types that the server does not have. Returns the reason why one could not be created. */
  async function createTagTypes(changes: readonly ReviewedChange[]): Promise<string | undefined> {
    if (!changes.some(({ tags, managedBy }) => managedBy !== null || (tags && tags.length > 0))) return undefined;
    for (const name of findMissingTypes(changes, (await read(tagTypes, { isAction: true })).tagTypes)) {
      try {
        const description = name === MANAGED_BY ? 'Files that manage the toggle' : '';
        await send(createTagType, { body: { name, description, icon: '' }, refreshes: [tagTypes], inline: true });
      } catch (failure) {
        return `The tag type ${name} could not be created, so that no toggle was changed: ${messageOf(failure)}`;
      }
    }
    return undefined;
  }

  /** Applies changes in their order. Returns the reason why it stopped. */
  async function writeAll({ review, toggles }: Reviewed, plan: OpenPlan, isPartial: boolean) {
    const user = userSignal();
    const ready = review.changes.filter(({ status }) => status === 'ready');
    const problem = findStopReason(plan) ?? (await createTagTypes(ready));
    user.throwIfAborted();
    if (problem !== undefined) return problem;
    for (const change of ready) {
      const { name } = change;
      const reason = findStopReason(plan);
      if (reason !== undefined) return reason;
      setResult(name, 'applying');
      try {
        await writeChange(change, toggles.get(name));
        setResult(name, 'applied');
      } catch (failure) {
        user.throwIfAborted();
        const isOutdated = failure instanceof OutdatedError || (failure instanceof ApiError && failure.status === 412);
        setResult(name, { failure: isOutdated ? CHANGED_NOW : messageOf(failure) });
        if (!(isOutdated && isPartial)) return `${name} could not be changed. The changes after it were not tried.`;
      }
    }
    return undefined;
  }

  async function run(plan: OpenPlan, isPartial: boolean): Promise<void> {
    const { reviewed, target } = plan;
    const user = userSignal();
    const files: NamedText[] = [{ name: 'plan.json', text: JSON.stringify(reviewed.review.plan) }];
    let fresh: Reviewed;
    try {
      fresh = await reviewFiles(files, { target, readsEach: true });
    } catch (failure) {
      // Items to which the plan refers were removed since the review.
      if (!(failure instanceof FileProblemsError)) throw failure;
      return updatePlan({ problem: `Nothing was changed. ${failure.message}` });
    }
    const news = describeNews(reviewed, fresh, isPartial) ?? findStopReason(plan);
    if (news !== undefined) return updatePlan({ reviewed: fresh, problem: news });
    const problem = await writeAll(fresh, plan, isPartial);
    updatePlan({ problem });
    // Compares what is stored with the plan. The words of the changes stay.
    const after = await reviewFiles(files, { target }).catch((failure: unknown) => {
      user.throwIfAborted();
      updatePlan({ problem: joinSentences(problem, `The result could not be compared: ${messageOf(failure)}`) });
    });
    if (!after) return;
    const statuses = new Map(after.review.changes.map(({ name, status }) => [name, status]));
    for (const [name, result] of openPlan.get()?.results ?? []) {
      if (result === 'applied' && statuses.get(name) !== 'applied') setResult(name, { failure: NOT_STORED });
    }
    const changes = reviewed.review.changes.map((change) => ({
      ...change,
      status: statuses.get(change.name) ?? change.status,
    }));
    updatePlan({ reviewed: { ...after, review: { ...reviewed.review, changes } } });
    const progress = describeProgress({ changes }, openPlan.get()?.results ?? new Map());
    // Also for a user who visits another page meanwhile.
    if (progress !== '') pushInfo(`Plan: ${progress}.`);
  }

  return async (plan: OpenPlan, isPartial: boolean): Promise<void> => {
    const ready = plan.reviewed.review.changes.filter(({ status }) => status === 'ready');
    const widening = ready.filter(({ effect }) => mayWiden(effect)).length;
    const impact =
      widening > 0 ? `${countChanges(widening)} of ${ready.length} may widen who gets the feature.` : undefined;
    if (!(await confirmPlan(countChanges(ready.length), impact)) || openPlan.get() !== plan) return;
    const user = userSignal();
    // Also while the user visits another page.
    const endGuard = guardClose();
    updatePlan({ phase: 'applying', problem: undefined, results: new Map() });
    try {
      // A reload would drop the rest of the plan, also between two requests.
      await countAction(() => run(plan, isPartial));
    } catch (failure) {
      if (!user.aborted) updatePlan({ problem: messageOf(failure) });
    } finally {
      endGuard();
      if (!user.aborted) updatePlan({ phase: 'review' });
    }
  };
}

/** Returns the reason why no further request of a plan is sent; undefined while there is none. */
function findStopReason({ environment }: OpenPlan): string | undefined {
  if (openPlan.get()?.phase === 'stopping') return 'You stopped it.';
  return selectedEnvironment() === environment ? undefined : 'You selected another environment.';
}

/** Describes what the user has not seen yet, so that nothing is written; undefined if there is nothing. */
function describeNews({ review: seen }: Reviewed, { review: fresh }: Reviewed, isPartial: boolean): string | undefined {
  const known = new Map(seen.changes.map((change) => [change.name, change]));
  const isOutdated = ({ name, status }: ReviewedChange) =>
    status === 'outdated' && !(isPartial && known.get(name)?.status === 'outdated');
  const outdated = fresh.changes.filter(isOutdated);
  if (outdated.length > 0) return 'Nothing was changed: toggles have changed since the review.';
  // Only what the user has reviewed as a change to apply is applied.
  const ready = fresh.changes.filter(({ status }) => status === 'ready');
  if (ready.some(({ name, action }) => known.get(name)?.status !== 'ready' || known.get(name)?.action !== action))
    return 'Nothing was changed: since the review, there are other changes to apply. Review them again.';
  return ready.some(({ name, effect }) => known.get(name)?.effect !== effect)
    ? 'Nothing was changed: the effect of changes is another one since the review. Review them again.'
    : undefined;
}

function joinSentences(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

/** Returns the message of a failed request. */
function messageOf(failure: unknown): string {
  if (failure instanceof ApiError) return failure.noticeText;
  return failure instanceof Error ? failure.message : String(failure);
}
