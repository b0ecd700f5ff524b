// Runs a bulk action with limited concurrency and collects failures. It continues while the user visits other pages.
import { read } from '@/api/client';
import { archivedFeatures, features, featuresWithTag } from '@/api/endpoints';
import { inEnvironment } from '@/api/environment';
import { ApiError, isTemporary } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { refreshReads } from '@/api/useRead';
import { offerUndo, pushError, pushFailure, pushInfo } from '@/api/notices';
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
  /** Names of changed toggles, for undo. */
  readonly changed: string[] = [];
  readonly failures: BulkFailure[] = [];
  /** Names of toggles not processed after a stop. */
  left: string[] = [];
  #pendingPatches = new Map<string, Exclude<BulkResult['current'], 'unchanged'>>();
  /** Names of toggles that wait for the answer to a question. */
  readonly #asked = new Map<QuestionCode, string[]>();
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

  async run(names: readonly string[]): Promise<this> {
    const timer = setInterval(() => this.#flush(), REFRESH_MS);
    const isStopped = () =>
      this.#user.aborted || this.#observer.isStopped() || this.#consecutiveOutages >= MAX_CONSECUTIVE_OUTAGES;
    const notStarted = await forEachConcurrent(names, (name) => this.#process(name), {
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
    for (const [code, names] of this.#asked) {
      this.#asked.delete(code);
      if (isStopped()) {
        this.left.push(...names);
        continue;
      }
      if ((await questionPrompt.ask({ code, names: names.toSorted() })) === true) {
        const act = (name: string) => this.#process(name, [code]);
        this.left.push(...(await forEachConcurrent(names, act, { limit: MAX_CONCURRENT, isStopped })));
      } else {
        this.failures.push(...names.map((name) => ({ name, reason: NOT_CONFIRMED })));
      }
    }
  }

  async #process(name: string, codes: readonly QuestionCode[] = []): Promise<void> {
    try {
      const { current, changed } = await this.#action.apply(name, codes, this.#user);
      if (changed) this.changed.push(name);
      if (current !== 'unchanged') this.#pendingPatches.set(name, current);
      this.#consecutiveOutages = 0;
      this.#done += 1;
    } catch (failure) {
      if (this.#user.aborted) return;
      // A refusal of one toggle says nothing about the others.
      const isOutage = failure instanceof ApiError && isTemporary(failure);
      this.#consecutiveOutages = isOutage ? this.#consecutiveOutages + 1 : 0;
      const code = questionOf(failure);
      if (code === undefined || codes.includes(code)) this.#recordFailure(name, failure);
      else this.#asked.set(code, [...(this.#asked.get(code) ?? []), name]);
    }
  }

  #recordFailure(name: string, failure: unknown): void {
    if (failure instanceof ApiError) pushError(failure.noticeText, { shownInPlace: true });
    this.failures.push({ name, reason: failure instanceof ApiError ? failure.noticeText : String(failure) });
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
async function confirmBulkAction({ switches }: BulkAction, names: readonly string[]): Promise<boolean> {
  if (switches !== undefined && !(await confirmSwitch(countToggles(names.length), switches, names))) return false;
  return confirmEdits(names);
}

/**
 * Asks for confirmation, and runs an action on the toggles that need it. Undefined if it was not confirmed, or another user has
 * signed in. It is shown as running from its questions on, so that no other action starts meanwhile.
 */
async function runAlone(
  action: BulkAction,
  names: readonly string[],
  findNames: (stop: AbortSignal) => Promise<readonly string[]>,
): Promise<BulkRun | undefined> {
  const before = bulkState.get();
  if (before?.phase === 'running') throw new Error('Another action is running. Try again when it has ended.');
  const user = userSignal();
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  let skipped = 0;
  const onProgress = (done: number, failed: number) =>
    bulkState.set({ phase: 'running', action, total: names.length, done: done + skipped, failed, stop });
  onProgress(0, 0);
  try {
    if (!(await confirmBulkAction(action, names))) return undefined;
    const needed = await findNames(stopped.signal);
    skipped = names.length - needed.length;
    const run = await new BulkRun(action, { isStopped: () => stopped.signal.aborted, onProgress }).run(needed);
    return user.aborted ? undefined : run;
  } finally {
    if (!user.aborted) bulkState.set(before);
  }
}

/**
 * Runs a bulk action. `before`: names of toggles changed by an earlier attempt, which the same undo reverts. Resolves with false
 * if it was not confirmed.
 */
export async function startBulkAction(
  action: BulkAction,
  names: readonly string[],
  before: readonly string[] = [],
): Promise<boolean> {
  const total = names.length;
  let needed = names;
  const run = await runAlone(action, names, async (signal) => {
    needed = await findNeeded(action, names, signal);
    return needed;
  }).catch(pushFailure);
  if (!run) return false;
  const { changed, failures, left } = run;
  const all = [...before, ...changed];
  const isComplete = failures.length + left.length === 0;
  const areFailuresOpen = failures.length > 0;
  bulkState.set(
    isComplete ? undefined : { phase: 'ended', action, total, changed: all, failures, areFailuresOpen, left },
  );
  const skipped = total - needed.length;
  const already = skipped === 0 ? '' : `, ${skipped} already ${skipped === 1 ? 'was' : 'were'}`;
  if (all.length > 0)
    offerUndo(`${countToggles(all.length)} ${action.doneLabel}${placeOf(action)}${already}.`, () =>
      undoBulkAction(action, all),
    );
  else if (isComplete) pushInfo(`No changes: ${countToggles(total)} already ${action.doneLabel}.`);
  return true;
}

/** Returns the names of the toggles that do not have the requested state yet. */
async function findNeeded({ isNeeded }: BulkAction, names: readonly string[], signal: AbortSignal) {
  // The list on the page may be older than a change of another user. If it cannot be read, the known states decide.
  await read(features, { isAction: true, signal }).catch(() => undefined);
  return names.filter(isNeeded);
}

/** Only the on/off state depends on the environment. */
function placeOf({ switches }: BulkAction): string {
  return switches === undefined ? '' : inEnvironment();
}

/** Reverts the action. Resolves with false if the user declined the confirmation. */
async function undoBulkAction(action: BulkAction, names: readonly string[]): Promise<boolean> {
  const inverse = action.inverse();
  const run = await runAlone(inverse, names, (signal) => findNeeded(inverse, names, signal));
  if (!run) return false;
  const { failures, left } = run;
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
