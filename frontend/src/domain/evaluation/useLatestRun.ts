import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '@/api/error';
import { onOutageEnd } from '@/api/outage';

export interface Run<Result> {
  /** While a run is under way, the result of the previous one. */
  result: Result | undefined;
  error: ApiError | undefined;
  isRunning: boolean;
  retry: () => void;
}

interface Outcome<Result> {
  run?: unknown;
  result?: Result;
  error?: ApiError;
}

/** Runs a memoized function. Another function replaces it: its signal is aborted and its result is ignored. */
export function useLatestRun<Result>(run: ((signal: AbortSignal) => Promise<Result>) | undefined): Run<Result> {
  const [outcome, setOutcome] = useState<Outcome<Result>>({});
  const [attempt, setAttempt] = useState(0);
  // Only an effect can abort the run of the previous render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: A retry runs the same function.
  useEffect(() => {
    if (!run) return;
    const controller = new AbortController();
    const { signal } = controller;
    run(signal).then(
      (result) => {
        if (!signal.aborted) setOutcome({ run, result });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setOutcome({ run, error });
      },
    );
    return () => controller.abort();
  }, [run, attempt]);
  const retry = useCallback(() => {
    setOutcome({});
    setAttempt((count) => count + 1);
  }, []);
  const failedInOutage = outcome.run === run && outcome.error?.isOutage === true;
  // The end of an outage is an event outside React. The error panel promises to load the content then.
  useEffect(() => (failedInOutage ? onOutageEnd(retry) : undefined), [failedInOutage, retry]);
  if (!run) return { result: undefined, error: undefined, isRunning: false, retry };
  const isRunning = outcome.run !== run;
  return { result: outcome.result, error: isRunning ? undefined : outcome.error, isRunning, retry };
}
