// Evaluation of the toggle for the last population.
import { useEffect, useMemo, useState } from 'react';
import type { Detail } from '@/api/generated/types';
import { useStore } from '@/lib/store';
import { lastPopulation } from './labState';
import type { Population } from './parsePopulation';
import { type EvaluatedVersions, type ToggleVersions, useEvaluatedToggle, useEvaluation } from './useLab';

/** A request contains all contexts, so that it is not sent for every typed character. */
const PAUSE_MS = 300;

/** A population of at most this size is shown with a row for each context, and larger ones are counted. */
const MAX_ROWS = 20;

export interface PopulationRequest {
  /** The JSON of the request. */
  readonly body: Blob;
  readonly evaluated: EvaluatedVersions;
  readonly population: Population;
}

export function usePopulation(versions: ToggleVersions) {
  const population = useStore(lastPopulation);
  const { evaluated, problem } = useEvaluatedToggle(versions, population !== undefined);
  const settled = useSettled(evaluated, PAUSE_MS);
  const request = useMemo(() => {
    if (!settled || !population) return undefined;
    return toRequest({ evaluated: settled, population }, population.contexts.length <= MAX_ROWS ? 'reasons' : 'counts');
  }, [settled, population]);
  const { response, request: answered, error, isRunning, retry } = useEvaluation(request);
  return {
    population,
    /** The request to which the result belongs. */
    request: answered,
    result: response?.toggles[0],
    error,
    retry,
    problem,
    isRunning: isRunning || settled !== evaluated,
  };
}

/** Evaluates the versions again, with the result of each context. */
export function useContextResults(counted: PopulationRequest) {
  const { response, error, retry } = useEvaluation(useMemo(() => toRequest(counted, 'results'), [counted]));
  return { result: response?.toggles[0], error, retry };
}

function toRequest({ evaluated, population }: Omit<PopulationRequest, 'body'>, detail: Detail): PopulationRequest {
  const others = JSON.stringify({ ...evaluated, detail }).slice(1);
  return { body: new Blob(['{"contexts":[', population.json, '],', others]), evaluated, population };
}

/** Returns the value, but follows a change only when no other one has come for `ms`. */
function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  // A pause is only observable with a timer.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
