// What applications asked for and the server does not know.
import { ApiError } from '@/api/error';
import type { Application, MaybeMissing, MissingItem } from '@/api/generated/types';
import type { Outcome } from '@/api/readEach';

export interface MissingThing {
  name: string;
  /** The applications that asked for it, by name. */
  askedBy: readonly string[];
}

export interface MissingThings {
  toggles: readonly MissingThing[];
  strategies: readonly MissingThing[];
  /** The applications that could not be asked. */
  unread: readonly string[];
}

/** Each outcome is that of the name in its place. */
export function gatherMissing(names: readonly string[], outcomes: readonly Outcome<Application>[]): MissingThings {
  const read = outcomes.filter((outcome): outcome is Application => !(outcome instanceof ApiError));
  return {
    toggles: askedFor(read, ({ seenToggles }) => seenToggles),
    strategies: askedFor(read, ({ strategies }) => strategies),
    unread: names.filter((_, index) => isFailure(outcomes[index])),
  };
}

/** Between the list and now an application may have been deleted: then it asks for nothing. */
function isFailure(outcome: Outcome<Application> | undefined): boolean {
  return outcome instanceof ApiError && outcome.status !== 404;
}

export function isMissing<Thing>(thing: MaybeMissing<Thing>): thing is MissingItem {
  return typeof thing === 'object' && thing !== null && 'notFound' in thing && thing.notFound === true;
}

type Named = MaybeMissing<{ name: string }>;

function askedFor(
  applications: readonly Application[],
  asked: (application: Application) => readonly Named[],
): MissingThing[] {
  const askers = new Map<string, string[]>();
  for (const application of applications) {
    for (const thing of asked(application).filter(isMissing)) {
      askers.set(thing.name, [...(askers.get(thing.name) ?? []), application.appName]);
    }
  }
  // What most ask for first: it is missed most.
  return [...askers]
    .map(([name, askedBy]) => ({ name, askedBy }))
    .sort((a, b) => b.askedBy.length - a.askedBy.length || a.name.localeCompare(b.name, 'en'));
}
