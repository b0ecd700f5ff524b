// Toggles that files manage: `flagdeck apply` gives them a tag of the type `managed-by`, whose value names the files.
//
// The toggle lists of most servers contain no tags. So the toggles of each such tag are read when the console starts and when
// its window becomes visible again. The tags that the page of a toggle reads are newer than a list that was requested before.
import { useEffect } from 'react';
import { createUserStore, userSignal, useStore, useUserSignal } from '@/lib/store';
import { currentCapabilities } from './capabilities';
import { onRead, read } from './client';
import { featuresWithTag, tags } from './endpoints';
import type { FeaturesResponse, TagsResponse } from './generated/types';

export const MANAGED_BY = 'managed-by';

interface Entry {
  /** Names of the files that manage the toggle. */
  files: readonly string[];
  /** Start of the newest applied read of the tags of the toggle. */
  readAt: number;
}

const UNMANAGED: Entry = { files: [], readAt: 0 };
/** By the name of the toggle. */
const entries = createUserStore<ReadonlyMap<string, Entry>>(new Map());

onRead<TagsResponse>(/^api\/admin\/features\/[^/?]+\/tags$/, ({ tags: own }, readAt, path) => {
  const name = decodeURIComponent(path.split('/')[3] ?? '');
  if (readAt < entryOf(name).readAt) return;
  const files = own.filter(({ type }) => type === MANAGED_BY).map(({ value }) => value);
  entries.set(new Map(entries.get()).set(name, { files, readAt }));
});

onRead<FeaturesResponse>(/\?tag=managed-by%3A/, ({ features }, startedAt, path) => {
  const files = decodeURIComponent(path.slice(path.indexOf('%3A') + 3));
  const listed = new Set(features.map(({ name }) => name));
  const next = new Map(entries.get());
  for (const name of new Set([...next.keys(), ...listed])) {
    const { files: known, readAt } = entryOf(name);
    if (startedAt < readAt) continue;
    const others = known.filter((one) => one !== files);
    next.set(name, { files: listed.has(name) ? [...others, files] : others, readAt });
  }
  entries.set(next);
});

function entryOf(toggle: string): Entry {
  return entries.get().get(toggle) ?? UNMANAGED;
}

/** Returns the name of the files that manage a toggle; empty if none do, or if that is not known. */
export function managerOf(toggle: string): string {
  return entryOf(toggle).files.toSorted().join(', ');
}

/** Like `managerOf`, for rendering. */
export function useManager(toggle: string): string {
  useStore(entries);
  return managerOf(toggle);
}

/** The user for whom the tags are being read. */
let loadingFor: AbortSignal | undefined;

/** Failures are not reported: the page of a toggle reads its tags itself, and the list then has no marks. */
async function load(): Promise<void> {
  const user = userSignal();
  if (loadingFor === user || !currentCapabilities().filtersByTag) return;
  loadingFor = user;
  try {
    const options = { skipSignInPrompt: true };
    for (const { type, value } of (await read(tags, options)).tags)
      if (type === MANAGED_BY && !user.aborted) await read(featuresWithTag(`${type}:${value}`), options);
  } catch {
  } finally {
    if (loadingFor === user) loadingFor = undefined;
  }
}

/** Keeps the managed toggles up to date. Once per page. */
export function useManagedToggles(isSignedIn: boolean): void {
  const user = useUserSignal();
  // The visibility of the window is outside React, and the reads depend on the user.
  useEffect(() => {
    if (!isSignedIn || user.aborted) return undefined;
    const loadIfVisible = () => {
      if (!document.hidden) void load();
    };
    loadIfVisible();
    document.addEventListener('visibilitychange', loadIfVisible);
    return () => document.removeEventListener('visibilitychange', loadIfVisible);
  }, [isSignedIn, user]);
}
