import { useCallback, useEffect, useState } from 'react';
import { evaluate } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { EvaluateRequest, EvaluateResponse } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';

export interface Evaluation {
  /** While a request is running, the response to the previous request. */
  response: EvaluateResponse | undefined;
  error: ApiError | undefined;
  isRunning: boolean;
  retry: () => void;
}

interface Outcome {
  request?: EvaluateRequest;
  response?: EvaluateResponse | undefined;
  error?: ApiError;
}

/** Evaluates toggles. The request must be memoized: another object is sent, and replaces the request that is running. */
export function useEvaluation(request: EvaluateRequest | undefined): Evaluation {
  const { send } = useWrite();
  const [outcome, setOutcome] = useState<Outcome>({});
  const [attempt, setAttempt] = useState(0);
  // Only an effect can abort the request of the previous render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: A retry repeats the same request.
  useEffect(() => {
    if (!request) return;
    const controller = new AbortController();
    const { signal } = controller;
    send(evaluate, { body: request, inline: true, signal }).then(
      (response) => {
        if (!signal.aborted) setOutcome({ request, response });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setOutcome({ request, error });
      },
    );
    return () => controller.abort();
  }, [request, send, attempt]);
  const retry = useCallback(() => {
    setOutcome({});
    setAttempt((count) => count + 1);
  }, []);
  if (!request) return { response: undefined, error: undefined, isRunning: false, retry };
  const isRunning = outcome.request !== request;
  return { response: outcome.response, error: isRunning ? undefined : outcome.error, isRunning, retry };
}
