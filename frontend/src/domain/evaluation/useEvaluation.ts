import { useMemo } from 'react';
import { evaluate } from '@/api/endpoints';
import type { ApiError } from '@/api/error';
import type { EvaluateRequest, EvaluateResponse } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { useLatestRun } from './useLatestRun';

export interface Evaluation {
  /** While a request is running, the response to the previous request. */
  response: EvaluateResponse | undefined;
  error: ApiError | undefined;
  isRunning: boolean;
  retry: () => void;
}

/**
 * Evaluates toggles. A blob contains the JSON of a request. The request must be memoized: another object is sent, and
 * replaces the request that is running.
 */
export function useEvaluation(request: EvaluateRequest | Blob | undefined): Evaluation {
  const { send } = useWrite();
  const run = useMemo(
    () => request && ((signal: AbortSignal) => send(evaluate, { body: request, inline: true, signal })),
    [request, send],
  );
  const { result: response, ...state } = useLatestRun(run);
  return { response, ...state };
}
