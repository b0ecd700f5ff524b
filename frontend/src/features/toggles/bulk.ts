// One deed for many toggles: a few at a time, with what failed and why. It goes on while other pages are looked at.
import { archivedFeatures, featuresWithTag } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { patchCache, refreshReads } from '@/api/hooks';
import { offerUndo, pushError, pushInfo } from '@/api/notices';
import { eachBounded } from '@/lib/eachBounded';
import { tagParam } from '@/lib/toggleFacets';
import { confirmSwitch } from '@/shared/confirmSwitch';
import type { Deed } from './bulkDeeds';
import { type BulkFailure, bulkState } from './bulkState';
import { applyChanges, type Changes, countOf, failureText } from './bulkWords';
import { changeList } from './listPatches';

/** Browsers keep six connections to a server: more would only stand in the way of everything else. */
const AT_ONCE = 6;
/** The list is drawn anew this often while toggles change. */
const SHOW_MS = 200;
/** A server that is gone fails for each of thousands in the same way. */
const FAILURES_IN_A_ROW = 20;

interface Watch {
  stopped: () => boolean;
  onProgress: (done: number, failed: number) => void;
}

class Run {
  /** As they were before. */
  readonly changed: Toggle[] = [];
  readonly failures: BulkFailure[] = [];
  /** What a stop or the end of the session left undone. */
  left: Toggle[] = [];
  #fresh: Changes = new Map();
  #done = 0;
  #failedInARow = 0;
  #signedOut = false;
  readonly #deed: Deed;
  readonly #watch: Watch;

  constructor(deed: Deed, watch: Watch) {
    this.#deed = deed;
    this.#watch = watch;
  }

  async through(toggles: readonly Toggle[]): Promise<this> {
    const timer = setInterval(() => this.#show(), SHOW_MS);
    const stopped = () => this.#watch.stopped() || this.#signedOut || this.#failedInARow >= FAILURES_IN_A_ROW;
    const notBegun = await eachBounded(toggles, (toggle) => this.#do(toggle), { limit: AT_ONCE, stopped });
    clearInterval(timer);
    this.left = [...this.left, ...notBegun];
    this.#show();
    const { tag } = this.#deed;
    refreshReads([archivedFeatures, ...(tag ? [featuresWithTag(tagParam(tag))] : [])]);
    return this;
  }

  async #do(toggle: Toggle): Promise<void> {
    try {
      const { now, changed } = await this.#deed.act(toggle);
      if (changed) this.changed.push(toggle);
      if (now !== 'same') this.#fresh.set(toggle.name, now);
      this.#failedInARow = 0;
      this.#done += 1;
    } catch (failure) {
      this.#failed(toggle, failure);
    }
  }

  #failed(toggle: Toggle, failure: unknown): void {
    this.#failedInARow += 1;
    if (failure instanceof ApiError && failure.status === 401) {
      this.#signedOut = true;
      this.left.push(toggle);
      return;
    }
    if (failure instanceof ApiError) pushError(failure.noticeText, { shownInPlace: true });
    this.failures.push({ toggle, reason: failure instanceof ApiError ? failure.noticeText : String(failure) });
  }

  #show(): void {
    const fresh = this.#fresh;
    this.#fresh = new Map();
    if (fresh.size > 0) {
      patchCache(changeList((all) => applyChanges(all, fresh)));
    }
    this.#watch.onProgress(this.#done, this.failures.length);
  }
}

/** Whether to go on with it: for those that switch, the operator may want to be asked. */
export async function confirmDeed({ switches }: Deed, toggles: readonly Toggle[]): Promise<boolean> {
  return switches === undefined || confirmSwitch(countOf(toggles.length), switches);
}

/** `before`: what an earlier try of the same deed changed; one undo takes back both. */
export async function startBulk(deed: Deed, toggles: readonly Toggle[], before: readonly Toggle[] = []): Promise<void> {
  const total = toggles.length;
  const wanting = toggles.filter(deed.applies);
  const skipped = total - wanting.length;
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  const onProgress = (done: number, failed: number) =>
    bulkState.set({ phase: 'running', deed, total, done: done + skipped, failed, stop });
  onProgress(0, 0);
  const { changed, failures, left } = await new Run(deed, { stopped: () => stopped, onProgress }).through(wanting);
  const all = [...before, ...changed];
  const isWhole = failures.length + left.length === 0;
  bulkState.set(isWhole ? undefined : { phase: 'ended', deed, total, changed: all, failures, left });
  if (all.length > 0) offerUndo(`${countOf(all.length)} ${deed.did}.`, () => takeBackAll(deed, all));
  else if (isWhole) pushInfo(`Nothing to do: ${countOf(total)} already ${deed.did}.`);
}

/** False: somebody was asked and thought better of it. */
async function takeBackAll(deed: Deed, toggles: readonly Toggle[]): Promise<boolean> {
  if (!(await confirmDeed(deed.inverse(), toggles))) return false;
  const watch = { stopped: () => false, onProgress: () => undefined };
  const { failures, left } = await new Run(deed.inverse(), watch).through(toggles);
  if (failures.length + left.length > 0) throw new Error(failureText(failures, left.length));
  return true;
}
