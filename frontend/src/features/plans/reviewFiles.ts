// Lets the server make or compare a plan. The console reads the toggles, with the session and the environment of the user.

import { currentCapabilities } from '@/api/capabilities';
import { type Endpoint, read, write } from '@/api/client';
import {
  archivedFeatures,
  context,
  feature,
  features,
  featuresWithTag,
  featureTags,
  projects,
  reviewPlan,
  segments,
  settings as settingsEndpoint,
  strategies,
} from '@/api/endpoints';
import { ApiError, isNotFound } from '@/api/error';
import type {
  FileProblem,
  ItemList,
  NamedText,
  PlannedServer,
  PlanReview,
  Settings,
  Tag,
  Toggle,
} from '@/api/generated/types';
import { MANAGED_BY } from '@/api/managedToggles';
import { cachedUiConfig } from '@/api/uiConfigCache';
import { forEachConcurrent } from '@/lib/forEachConcurrent';
import { userSignal } from '@/lib/store';

/** A review, with the stored toggles as they were read for it. */
export interface Reviewed {
  review: PlanReview;
  toggles: ReadonlyMap<string, Toggle>;
}

/** Browsers open at most six connections to a server. */
const MAX_CONCURRENT = 6;

interface ReviewOptions {
  /** Name of the flag service in a plan that is made from files. */
  target: string;
  /** Toggles that the files managed and name no more are archived. */
  prune?: boolean;
  /** Reads each toggle, also if the list contains all of it: the response to such a read has the entity tag for a save. */
  readsEach?: boolean;
}

/** The flag service would refuse changes of the files or of the plan. */
export class FileProblemsError extends Error {
  readonly problems: readonly FileProblem[];
  readonly warnings: readonly FileProblem[];
  readonly isStored: boolean;

  constructor({ problems, warnings, isStored }: Pick<PlanReview, 'problems' | 'warnings' | 'isStored'>) {
    const [first] = problems;
    const others = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
    super(`The flag service would refuse the changes: ${first?.message ?? ''}${others}.`);
    this.problems = problems;
    this.warnings = warnings;
    this.isStored = isStored;
  }
}

/** A review is an action of the user, which continues after a sign-in. */
const ACTION = { isAction: true };

/** Reads the names or ids of the items of a list. */
const LISTS: { readonly [list in ItemList]: () => Promise<string[]> } = {
  projects: async () => (await read(projects, ACTION)).projects.map(({ id }) => id),
  strategies: async () => (await read(strategies, ACTION)).strategies.map(({ name }) => name),
  contextFields: async () => (await read(context, ACTION)).map(({ name }) => name),
};

/** Reviews files with toggles or a plan. Throws a `FileProblemsError` if the flag service would refuse changes. */
export async function reviewFiles(
  files: readonly NamedText[],
  { target, prune = false, readsEach = false }: ReviewOptions,
): Promise<Reviewed> {
  const user = userSignal();
  // The page may not have received them yet: other servers have other endpoints.
  const settings = await read(settingsEndpoint, ACTION);
  const capabilities = settings.capabilities ?? currentCapabilities();
  const [list, archive, listed] = await Promise.all([
    read(features, ACTION),
    // Without the permission to read the archive, a name in it is refused when the toggle is created.
    read(archivedFeatures, ACTION).catch(() => undefined),
    capabilities.managesSegments ? read(segments, ACTION) : undefined,
  ]);
  const existing = new Map(list.features.map(({ name, dependencies }) => [name, parentsOf(dependencies)]));
  const isListed = !readsEach && capabilities.listsOrderedStrategies && capabilities.listsVariants;
  const rows = new Map(isListed ? list.features.map((row) => [row.name, row]) : []);
  const toggles = new Map<string, Toggle>();
  const tags = new Map<string, Tag[]>();
  const managed: { [files: string]: string[] } = {};
  const items: { [list in ItemList]?: string[] | null } = {};
  for (;;) {
    user.throwIfAborted();
    const review = await write(reviewPlan, {
      files: [...files],
      target,
      existing: Object.fromEntries(existing),
      archived: archive?.features.map(({ name }) => name) ?? [],
      toggles: [...toggles.values()],
      tags: Object.fromEntries(tags),
      prune,
      managed,
      segments: listed?.segments ?? [],
      server: describeServer(settings),
      items,
    });
    user.throwIfAborted();
    if (review === undefined) throw new Error('Flagdeck did not send a review. Try again.');
    const { missing, missingTags, missingManaged, missingItems } = review;
    if (review.problems.length > 0) throw new FileProblemsError(review);
    if ([missing, missingTags, missingManaged, missingItems].every(({ length }) => length === 0))
      return { review, toggles };
    for (const name of missingManaged) {
      const marked = await read(featuresWithTag(`${MANAGED_BY}:${name}`));
      managed[name] = marked.features.map((toggle) => toggle.name);
    }
    for (const [list, names] of await Promise.all(missingItems.map(readList))) items[list] = names;
    const unread = missing.filter((name) => {
      const row = rows.get(name);
      if (row) toggles.set(name, row);
      return row === undefined;
    });
    // One that was archived meanwhile does not exist.
    await readEach(unread, feature, {
      found: (name, toggle) => toggles.set(name, toggle),
      absent: (name) => existing.delete(name),
    });
    // Some servers have no tags.
    await readEach(missingTags, featureTags, {
      found: (name, response) => tags.set(name, response.tags),
      absent: (name) => tags.set(name, []),
    });
  }
}

interface Outcomes<Data> {
  found: (name: string, data: Data) => void;
  absent: (name: string) => void;
}

/** Reads an endpoint of each toggle. */
async function readEach<Data>(
  names: readonly string[],
  endpoint: (name: string) => Endpoint<Data>,
  { found, absent }: Outcomes<Data>,
): Promise<void> {
  const user = userSignal();
  const failures: unknown[] = [];
  const readOne = (name: string) =>
    read(endpoint(name), ACTION).then(
      (data) => found(name, data),
      (failure: unknown) => {
        if (failure instanceof ApiError && isNotFound(failure)) absent(name);
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

/** Reads a list; null if the server does not have it or does not show it to the user. */
async function readList(list: ItemList): Promise<[ItemList, string[] | null]> {
  try {
    return [list, await LISTS[list]()];
  } catch (failure) {
    if (failure instanceof ApiError && (isNotFound(failure) || failure.status === 403)) return [list, null];
    throw failure;
  }
}

/** Describes the flag service; null if its capabilities are not known. */
function describeServer({ mode, capabilities, server }: Settings): PlannedServer | null {
  if (!capabilities) return null;
  return {
    isEmbedded: mode === 'embedded',
    hasEnvironments: capabilities.hasEnvironments,
    version: server?.version ?? cachedUiConfig().version ?? null,
  };
}

function parentsOf(dependencies: Toggle['dependencies']): string[] {
  return dependencies?.map(({ feature: parent }) => parent) ?? [];
}
