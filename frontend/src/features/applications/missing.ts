// What applications asked for and the server does not know.
import { ApiError } from '@/api/error';
import type { Application, Known, Missing } from '@/api/generated/types';
import type { Outcome } from '@/api/useReadEach';

export interface MissingItem {
  name: string;
  /** The applications that asked for it, by name. */
  requestedBy: readonly string[];
}

export interface MissingItems {
  toggles: readonly MissingItem[];
  strategies: readonly MissingItem[];
  /** The applications that could not be asked. */
  unreadApplications: readonly string[];
}

/** Each outcome is that of the name in its place. */
export function collectMissing(names: readonly string[], outcomes: readonly Outcome<Application>[]): MissingItems {
  const read = outcomes.filter((outcome): outcome is Application => !(outcome instanceof ApiError));
  return {
    toggles: groupByName(read, ({ seenToggles }) => seenToggles),
    strategies: groupByName(read, ({ strategies }) => strategies),
    unreadApplications: names.filter((_, index) => isFailure(outcomes[index])),
  };
}

/** Between the list and now an application may have been deleted: then it asks for nothing. */
function isFailure(outcome: Outcome<Application> | undefined): boolean {
  return outcome instanceof ApiError && outcome.status !== 404;
}

export function isMissing<Thing>(thing: Known<Thing>): thing is Missing {
  return typeof thing === 'object' && thing !== null && 'notFound' in thing && thing.notFound === true;
}

type Named = Known<{ name: string }>;

function groupByName(
  applications: readonly Application[],
  asked: (application: Application) => readonly Named[],
): MissingItem[] {
  const requesters = new Map<string, string[]>();
  for (const application of applications) {
    for (const thing of asked(application).filter(isMissing)) {
      requesters.set(thing.name, [...(requesters.get(thing.name) ?? []), application.appName]);
    }
  }
  // What most ask for first: it is missed most.
  return [...requesters]
    .map(([name, requestedBy]) => ({ name, requestedBy }))
    .sort((a, b) => b.requestedBy.length - a.requestedBy.length || a.name.localeCompare(b.name, 'en'));
}
