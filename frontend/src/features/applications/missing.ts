// Toggles and strategies that applications use and that do not exist on the server.

import { ApiError } from '@/api/error';
import type { Application, MissingItem } from '@/api/generated/types';
import type { ReadOutcome } from '@/api/useReadEach';
import { compareNames } from '@/lib/compareNames';

export interface RequestedItem {
  name: string;
  /** Names of the applications that use it. */
  requestedBy: readonly string[];
}

export interface MissingItems {
  toggles: readonly RequestedItem[];
  strategies: readonly RequestedItem[];
  /** Names of the applications that could not be loaded. */
  unreadApplications: readonly string[];
}

/** Collects the missing items of all applications. `outcomes` has the same order as `names`. */
export function collectMissing(names: readonly string[], outcomes: readonly ReadOutcome<Application>[]): MissingItems {
  const read = outcomes.filter((outcome): outcome is Application => !(outcome instanceof ApiError));
  return {
    toggles: groupByName(read, ({ seenToggles }) => seenToggles),
    strategies: groupByName(read, ({ strategies }) => strategies),
    unreadApplications: names.filter((_, index) => isFailure(outcomes[index])),
  };
}

/** A 404 is not a failure: the application was deleted after the list was read. */
function isFailure(outcome: ReadOutcome<Application> | undefined): boolean {
  return outcome instanceof ApiError && outcome.status !== 404;
}

/** An item that an application named, which may not exist on this server. */
export type MaybeMissing<Item> = Item | MissingItem;

export function isMissing<Item>(item: MaybeMissing<Item>): item is MissingItem {
  return typeof item === 'object' && item !== null && 'notFound' in item && item.notFound === true;
}

type Named = MaybeMissing<{ name: string }>;

function groupByName(
  applications: readonly Application[],
  reported: (application: Application) => readonly Named[],
): RequestedItem[] {
  const requesters = new Map<string, string[]>();
  for (const application of applications) {
    for (const item of reported(application).filter(isMissing)) {
      requesters.set(item.name, [...(requesters.get(item.name) ?? []), application.appName]);
    }
  }
  // The item that most applications use comes first.
  return [...requesters]
    .map(([name, requestedBy]) => ({ name, requestedBy }))
    .sort((a, b) => b.requestedBy.length - a.requestedBy.length || compareNames(a.name, b.name));
}
