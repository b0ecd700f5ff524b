// Lets the server make or compare a plan. The console reads the toggles, with the session and the environment of the user.
import { read, write } from '@/api/client';
import { currentCapabilities } from '@/api/capabilities';
import { archivedFeatures, feature, features, reviewPlan, segments } from '@/api/endpoints';
import { ApiError, isNotFound } from '@/api/error';
import type { NamedText, PlanReview, Toggle } from '@/api/generated/types';
import { forEachConcurrent } from '@/lib/forEachConcurrent';
import { userSignal } from '@/lib/store';

/** A review, with the stored toggles as they were read for it. */
export interface Reviewed {
  review: PlanReview;
  toggles: ReadonlyMap<string, Toggle>;
}

/** Browsers open at most six connections to a server. */
const MAX_CONCURRENT = 6;

/** Reviews files with toggles or a plan. `target`: name of the flag service in a plan that is made from files. */
export async function reviewFiles(files: readonly NamedText[], target: string): Promise<Reviewed> {
  const user = userSignal();
  const [list, archive, listed] = await Promise.all([
    read(features),
    // Without the permission to read the archive, a name in it is refused when the toggle is created.
    read(archivedFeatures).catch(() => undefined),
    currentCapabilities().managesSegments ? read(segments) : undefined,
  ]);
  const existing = new Map(list.features.map(({ name, dependencies }) => [name, parentsOf(dependencies)]));
  const toggles = new Map<string, Toggle>();
  for (;;) {
    user.throwIfAborted();
    const review = await write(reviewPlan, {
      files: [...files],
      target,
      existing: Object.fromEntries(existing),
      archived: archive?.features.map(({ name }) => name) ?? [],
      toggles: [...toggles.values()],
      segments: listed?.segments ?? [],
    });
    user.throwIfAborted();
    if (review === undefined) throw new Error('Flagdeck did not send a review. Try again.');
    if (review.missing.length === 0) return { review, toggles };
    await readToggles(review.missing, toggles, existing);
  }
}

/** Reads toggles. One that was archived meanwhile does not exist. */
async function readToggles(
  names: readonly string[],
  toggles: Map<string, Toggle>,
  existing: Map<string, string[]>,
): Promise<void> {
  const user = userSignal();
  const failures: unknown[] = [];
  const readOne = (name: string) =>
    read(feature(name)).then(
      (toggle) => void toggles.set(name, toggle),
      (failure: unknown) => {
        if (failure instanceof ApiError && isNotFound(failure)) existing.delete(name);
        else failures.push(failure);
      },
    );
  await forEachConcurrent(names, readOne, {
    limit: MAX_CONCURRENT,
    isStopped: () => failures.length > 0 || user.aborted,
  });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

function parentsOf(dependencies: Toggle['dependencies']): string[] {
  return dependencies?.map(({ feature: parent }) => parent) ?? [];
}
