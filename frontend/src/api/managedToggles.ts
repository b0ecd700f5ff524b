// Toggles that files manage: `flagdeck apply` gives them a tag of the type `managed-by`, whose value names the files.
//
// The toggle lists of most servers contain no tags. So the toggles of each such tag are read when the console starts and when
// its window becomes visible again. The tags that the page of a toggle reads are newer than a list that was requested before.
// If the toggles of some files cannot be read, the marks of the others remain, and an edit of any toggle reads them again.
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
  /** Start of the newest applied read of the tags of the toggle; 0 if only lists of toggles were read. */
  readAt: number;
}

const UNMANAGED: Entry = { files: [], readAt: 0 };
/** By the name of the toggle. */
const entries = createUserStore<ReadonlyMap<string, Entry>>(new Map());
/** Names of files whose toggles could not be read. */
const unread = createUserStore<readonly string[]>([]);

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
  unread.set(unread.get().filter((one) => one !== files));
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

/** Returns the names of the files that may manage a toggle without known files, because their toggles could not be read. */
export function possibleManagersOf(toggle: string): readonly string[] {
  const { files, readAt } = entryOf(toggle);
  return readAt > 0 || files.length > 0 ? [] : unread.get();
}

/** Reads the toggles again that could not be read. */
export async function readUnreadToggles(): Promise<void> {
  await Promise.all(unread.get().map(readToggles));
}

const OPTIONS = { skipSignInPrompt: true };
/** The user for whom the tags are being read. */
let loadingFor: AbortSignal | undefined;

/** Reads the toggles that files manage. A failure is reported before an edit that it concerns. */
async function readToggles(files: string): Promise<void> {
  const user = userSignal();
  try {
    await read(featuresWithTag(`${MANAGED_BY}:${files}`), OPTIONS);
  } catch {
    if (!user.aborted) unread.set([...new Set(unread.get()).add(files)]);
  }
}

/** A failure to read the tags is not reported: nothing says that files manage toggles, and the page of a toggle reads its tags. */
async function load(): Promise<void> {
  const user = userSignal();
  if (loadingFor === user || !currentCapabilities().filtersByTag) return;
  loadingFor = user;
  try {
    for (const { type, value } of (await read(tags, OPTIONS)).tags)
      if (type === MANAGED_BY && !user.aborted) await readToggles(value);
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
