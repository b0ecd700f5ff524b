// Definitions that the result of a toggle depends on. Only newer servers have them.
import { feature, segments } from '@/api/endpoints';
import { ApiError, isNotFound } from '@/api/error';
import type { ListedSegment, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import type { NewerToggle } from '@/api/newerTypes';
import { type ReadOutcome, useReadEach } from '@/api/useReadEach';

export interface Definitions {
  /** The parents of the toggle, without those that do not exist. */
  toggles: readonly Toggle[];
  /** The segments of the server, if a strategy uses one. */
  segments: readonly ListedSegment[];
  /** Sentence about definitions that could not be read, so that the result may be wrong. */
  problem: string | undefined;
  isLoading: boolean;
}

const NONE: readonly never[] = [];

/** Reads the parents and the segments of a toggle. */
export function useDefinitions(toggle: NewerToggle): Definitions {
  const names = [...new Set(toggle.dependencies?.map((parent) => parent.feature))];
  const { outcomes = NONE } = useReadEach(names.length > 0 ? names.map(feature) : undefined);
  const parents = outcomes.filter((outcome): outcome is Toggle => !(outcome instanceof ApiError));
  const usesSegments = [toggle, ...parents].some(hasSegments);
  const list = useSegments(usesSegments);
  const unread = outcomes.find(isUnread);
  return {
    toggles: parents.length > 0 ? parents : NONE,
    segments: list.segments,
    problem: unread ? describeProblem('A parent toggle', unread) : list.problem,
    isLoading: outcomes.length < names.length || list.isLoading,
  };
}

/** Reads the segments of the server if `isUsed`. */
export function useSegments(isUsed: boolean): Omit<Definitions, 'toggles'> {
  const { data, error, isLoading } = useRead(isUsed ? segments : null);
  const problem = error && !data ? describeProblem('The segments', error) : undefined;
  return { segments: data?.segments ?? NONE, problem, isLoading };
}

export function hasSegments({ strategies }: Toggle): boolean {
  return strategies.some(({ segments }) => segments && segments.length > 0);
}

/** Returns whether a parent could not be read. One that does not exist is an input of the evaluation. */
function isUnread(outcome: ReadOutcome<Toggle>): outcome is ApiError {
  return outcome instanceof ApiError && !isNotFound(outcome);
}

function describeProblem(subject: string, { message }: ApiError): string {
  return `${subject} could not be loaded, so that the result may be wrong. ${message}`;
}
