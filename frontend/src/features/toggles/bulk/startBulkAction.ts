// Runs a bulk action with limited concurrency and collects failures. It continues while the user visits other pages.
import { archivedFeatures, featuresWithTag } from '@/api/endpoints';
import { inEnvironment } from '@/api/environment';
import { ApiError, isTemporary } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { refreshReads } from '@/api/useRead';
import { offerUndo, pushError, pushInfo } from '@/api/notices';
import { confirmEdits, type QuestionCode, questionOf, questionPrompt } from '@/api/questions';
import { addToggle, batchWrites, patchToggle, removeToggle } from '@/api/toggles';
import { confirmSwitch } from '@/domain/toggles/confirmSwitch';
import { formatTagParam } from '@/domain/toggles/toggleFacets';
import { forEachConcurrent } from '@/lib/forEachConcurrent';
import { userSignal } from '@/lib/store';
import { type BulkAction, type BulkResult, countToggles, describeFailures } from './bulkActions';
import { type BulkFailure, bulkState } from './bulkState';

/** Browsers open at most six connections to a server; more requests would delay others. */
const MAX_CONCURRENT = 6;
/** Interval for updating the list and the progress. */
const REFRESH_MS = 200;
/** Stops after this many consecutive network and server errors, because the server is probably unreachable. */
const MAX_CONSECUTIVE_OUTAGES = 20;

const NOT_CONFIRMED = 'Not changed: you did not confirm the question of the server.';

interface RunObserver {
  isStopped: () => boolean;
  onProgress: (done: number, failed: number) => void;
}

class BulkRun {
  /** Changed toggles in their previous state, for undo. */
  readonly changed: Toggle[] = [];
  readonly failures: BulkFailure[] = [];
  /** Toggles not processed after a stop. */
  left: Toggle[] = [];
  #pendingPatches = new Map<string, Exclude<BulkResult['current'], 'unchanged'>>();
  /** Toggles that wait for the answer to a question. */
  readonly #asked = new Map<QuestionCode, Toggle[]>();
  #done = 0;
  #consecutiveOutages = 0;
  /** The user who started the action. Another user must neither send its requests nor see its results. */
  readonly #user = userSignal();
  readonly #action: BulkAction;
  readonly #observer: RunObserver;

  constructor(action: BulkAction, observer: RunObserver) {
    this.#action = action;
    this.#observer = observer;
  }

  async run(toggles: readonly Toggle[]): Promise<this> {
    const timer = setInterval(() => this.#flush(), REFRESH_MS);
    const isStopped = () =>
      this.#user.aborted || this.#observer.isStopped() || this.#consecutiveOutages >= MAX_CONSECUTIVE_OUTAGES;
    const notStarted = await forEachConcurrent(toggles, (toggle) => this.#process(toggle), {
      limit: MAX_CONCURRENT,
      isStopped,
    });
    if (this.#asked.size > 0) await this.#askAll(isStopped);
    clearInterval(timer);
    if (this.#user.aborted) return this;
    this.left = [...this.left, ...notStarted];
    this.#flush();
    const { tag } = this.#action;
    refreshReads([archivedFeatures, ...(tag ? [featuresWithTag(formatTagParam(tag))] : [])]);
    return this;
  }

  /** Asks each question of the server once, for all its toggles, and repeats the action on them if it is confirmed. */
  async #askAll(isStopped: () => boolean): Promise<void> {
    for (const [code, toggles] of this.#asked) {
      this.#asked.delete(code);
      if (isStopped()) {
        this.left.push(...toggles);
        continue;
      }
      const names = toggles.map(({ name }) => name).toSorted();
      if ((await questionPrompt.ask({ code, names })) === true) {
        const act = (toggle: Toggle) => this.#process(toggle, [code]);
        this.left.push(...(await forEachConcurrent(toggles, act, { limit: MAX_CONCURRENT, isStopped })));
      } else {
        this.failures.push(...toggles.map((toggle) => ({ toggle, reason: NOT_CONFIRMED })));
      }
    }
  }

  async #process(toggle: Toggle, codes: readonly QuestionCode[] = []): Promise<void> {
    try {
      const { current, changed } = await this.#action.apply(toggle, codes, this.#user);
      if (changed) this.changed.push(toggle);
      if (current !== 'unchanged') this.#pendingPatches.set(toggle.name, current);
      this.#consecutiveOutages = 0;
      this.#done += 1;
    } catch (failure) {
      if (this.#user.aborted) return;
      // A refusal of one toggle says nothing about the others.
      const isOutage = failure instanceof ApiError && isTemporary(failure);
      this.#consecutiveOutages = isOutage ? this.#consecutiveOutages + 1 : 0;
      const code = questionOf(failure);
      if (code === undefined || codes.includes(code)) this.#recordFailure(toggle, failure);
      else this.#asked.set(code, [...(this.#asked.get(code) ?? []), toggle]);
    }
  }

  #recordFailure(toggle: Toggle, failure: unknown): void {
    if (failure instanceof ApiError) pushError(failure.noticeText, { shownInPlace: true });
    this.failures.push({ toggle, reason: failure instanceof ApiError ? failure.noticeText : String(failure) });
  }

  #flush(): void {
    if (this.#user.aborted) return;
    const patches = this.#pendingPatches;
    this.#pendingPatches = new Map();
    if (patches.size > 0) applyBulkPatches(patches);
    this.#observer.onProgress(this.#done, this.failures.length);
  }
}

/** Resolves with true if the action may start. Switching, and toggles that files manage, may require a confirmation. */
export async function confirmBulkAction({ switches }: BulkAction, toggles: readonly Toggle[]): Promise<boolean> {
  if (switches !== undefined && !(await confirmSwitch(countToggles(toggles.length), switches))) return false;
  return confirmEdits(toggles.map(({ name }) => name));
}

/** Starts a bulk action. `before`: toggles changed by an earlier attempt, which the same undo reverts. */
export async function startBulkAction(
  action: BulkAction,
  toggles: readonly Toggle[],
  before: readonly Toggle[] = [],
): Promise<void> {
  const total = toggles.length;
  const needed = toggles.filter(action.isNeeded);
  const skipped = total - needed.length;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  const onProgress = (done: number, failed: number) =>
    bulkState.set({ phase: 'running', action, total, done: done + skipped, failed, stop });
  onProgress(0, 0);
  const observer = { isStopped: () => isStopped, onProgress };
  const user = userSignal();
  const { changed, failures, left } = await new BulkRun(action, observer).run(needed);
  if (user.aborted) return;
  const all = [...before, ...changed];
  const isComplete = failures.length + left.length === 0;
  bulkState.set(isComplete ? undefined : { phase: 'ended', action, total, changed: all, failures, left });
  if (all.length > 0)
    offerUndo(`${countToggles(all.length)} ${action.doneLabel}${placeOf(action)}.`, () => undoBulkAction(action, all));
  else if (isComplete) pushInfo(`No changes: ${countToggles(total)} already ${action.doneLabel}.`);
}

/** Only the on/off state depends on the environment. */
function placeOf({ switches }: BulkAction): string {
  return switches === undefined ? '' : inEnvironment();
}

/** Reverts the action. Resolves with false if the user declined the confirmation. */
async function undoBulkAction(action: BulkAction, toggles: readonly Toggle[]): Promise<boolean> {
  if (!(await confirmBulkAction(action.inverse(), toggles))) return false;
  const observer = { isStopped: () => false, onProgress: () => undefined };
  const { failures, left } = await new BulkRun(action.inverse(), observer).run(toggles);
  if (failures.length + left.length > 0) throw new Error(describeFailures(failures, left.length));
  return true;
}

/** The written fields, a revived toggle, or the removal, by name. */
export type BulkPatches = ReadonlyMap<string, Partial<Toggle> | { revived: Toggle } | 'removed'>;

export function applyBulkPatches(patches: BulkPatches): void {
  batchWrites(() => {
    for (const [name, patch] of patches) {
      if (patch === 'removed') removeToggle(name);
      else if ('revived' in patch) addToggle(patch.revived);
      else patchToggle(name, patch);
    }
  });
}
