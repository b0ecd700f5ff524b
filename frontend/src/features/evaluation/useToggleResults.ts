// Results of many toggles for one context.
import { useMemo } from 'react';
import { write } from '@/api/client';
import { evaluate } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { EvaluateRequest, Toggle } from '@/api/generated/types';
import { pushError } from '@/api/notices';
import { useSettings } from '@/api/settings';
import type { LabContext } from '@/domain/evaluation/labContext';
import { type Run, useLatestRun } from '@/domain/evaluation/useLatestRun';
import { evaluateInParts, type ToggleResults } from './evaluateInParts';

interface Options {
  context: LabContext;
  segments: readonly unknown[];
  variantSeed?: number;
}

/**
 * Evaluates the toggles; nothing if they are undefined. All arguments must be memoized. A list in which only last-seen times
 * differ, which polls update, has the same results.
 */
export function useToggleResults(
  toggles: readonly Toggle[] | undefined,
  { context, segments, variantSeed }: Options,
): Run<ToggleResults> {
  const isStoredHere = useSettings()?.mode === 'embedded';
  const evaluatedParts = useMemo(() => toggles && `[${toggles.map(toEvaluatedPart)}]`, [toggles]);
  const run = useMemo(() => {
    if (evaluatedParts === undefined) return undefined;
    const evaluated: Toggle[] = JSON.parse(evaluatedParts);
    return (signal: AbortSignal) => {
      const send = (part: readonly Toggle[]) => write(evaluate, toRequest(part), { signal });
      const toRequest = (part: readonly Toggle[]): EvaluateRequest => ({
        names: part.map(({ name }) => name),
        // The embedded flag service has the toggles.
        ...(!isStoredHere && { toggles: [...part], segments: [...segments] }),
        contexts: [context],
        detail: 'reasons',
        ...(variantSeed !== undefined && { variantSeed }),
      });
      return evaluateInParts(evaluated, send).catch(recordError);
    };
  }, [evaluatedParts, context, segments, variantSeed, isStoredHere]);
  return useLatestRun(run);
}

/** By toggle, because a list with a change contains the other toggles unchanged. */
const evaluatedPartsOf = new WeakMap<Toggle, string>();

/** Returns the JSON of the fields that the results depend on. */
function toEvaluatedPart(toggle: Toggle): string {
  const known = evaluatedPartsOf.get(toggle);
  const part = known ?? JSON.stringify({ ...toggle, lastSeenAt: null });
  evaluatedPartsOf.set(toggle, part);
  return part;
}

function recordError(failure: unknown): never {
  if (failure instanceof ApiError) pushError(failure.noticeText, { shownInPlace: true });
  throw failure;
}
