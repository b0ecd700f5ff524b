// Evaluation of the toggle for the last population.
import { useEffect, useMemo, useState } from 'react';
import { useStore } from '@/lib/store';
import { lastPopulation } from './labState';
import type { Population } from './parsePopulation';
import { type EvaluatedVersions, type ToggleVersions, useEvaluatedToggle, useEvaluation } from './useLab';

/** A request contains all contexts, so that it is not sent for every typed character. */
const PAUSE_MS = 300;

export function usePopulation(versions: ToggleVersions) {
  const population = useStore(lastPopulation);
  const { evaluated, problem } = useEvaluatedToggle(versions, population !== undefined);
  const settled = useSettled(evaluated, PAUSE_MS);
  const request = useMemo(() => settled && population && toRequest(settled, population), [settled, population]);
  const { response, error, isRunning, retry } = useEvaluation(request);
  return {
    population,
    result: response?.toggles[0],
    error,
    retry,
    problem,
    isRunning: isRunning || settled !== evaluated,
  };
}

/** Returns the JSON of the request. */
function toRequest(evaluated: EvaluatedVersions, { json }: Population): { body: Blob } {
  const others = JSON.stringify({ ...evaluated, detail: 'counts' }).slice(1);
  return { body: new Blob(['{"contexts":[', json, '],', others]) };
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
