// Evaluation of the toggle for one context, with reasons.
import { useMemo, useState } from 'react';
import { evaluate } from '@/api/endpoints';
import type { ApiError } from '@/api/error';
import type { ContextResult, EvaluatedToggle, EvaluateRequest, EvaluateResponse } from '@/api/generated/types';
import { useWrite } from '@/api/useWrite';
import type { NewerToggle } from '@/api/newerTypes';
import { usePastView } from '@/api/pastView';
import { useRecordedSelection } from '@/api/recorded';
import { useLabContext } from '@/domain/evaluation/labContext';
import { useDefinitions } from '@/domain/evaluation/useDefinitions';
import { useLatestRun } from '@/domain/evaluation/useLatestRun';
import { jsonEqual } from '@/lib/json';
import { useStore } from '@/lib/store';
import { assumesOn, labOpened, lastPopulation } from './labState';
import { type EvaluatedVersion, getReadOnlyKeys, type StrategyKey } from './reasons';

/** A toggle before and after the unsaved edits. */
export interface ToggleVersions {
  saved: NewerToggle;
  edited: NewerToggle;
}

/** The panel evaluates one context, with reasons, or the contexts of a population. */
type LabMode = 'context' | 'population';

export type Lab = ReturnType<typeof useLab>;

interface LabOptions {
  /** Keys of the strategies of both versions. Default: strategies are not edited. */
  keys?: Record<keyof ToggleVersions, readonly StrategyKey[]>;
  isAvailable?: boolean;
}

export function useLab(versions: ToggleVersions, { keys, isAvailable = true }: LabOptions = {}) {
  const [context, changeContext] = useLabContext();
  const wasOpened = useStore(labOpened);
  const hasContext = Object.keys(context).length > 0;
  const isOpen = isAvailable && (wasOpened || hasContext);
  const hasPopulation = useStore(lastPopulation) !== undefined;
  const [chosenMode, setMode] = useState<LabMode>();
  const [clearings, setClearings] = useState(0);
  const mode = chosenMode ?? (hasPopulation && !hasContext ? 'population' : 'context');
  const { evaluated, problem } = useEvaluatedToggle(versions, isOpen);
  const strategies = useJsonMemo({
    saved: toKeyedStrategies(versions.saved, keys?.saved),
    edited: toKeyedStrategies(versions.edited, keys?.edited),
  });
  const request = useMemo(
    () =>
      evaluated && mode === 'context'
        ? { body: { ...evaluated, contexts: [context], detail: 'reasons' as const }, strategies }
        : undefined,
    [evaluated, strategies, context, mode],
  );
  const evaluation = useEvaluation(request);
  const [toggle] = evaluation.response?.toggles ?? [];
  // While another request is running, the result is the one of earlier versions.
  const toVersion = (side: keyof ToggleVersions, result: ContextResult | undefined): EvaluatedVersion | undefined =>
    result && evaluation.request && { ...evaluation.request.strategies[side], result };
  return {
    isOpen,
    open: () => labOpened.set(true),
    /** Forgets the context, and shows no result. */
    close: () => {
      labOpened.set(false);
      setClearings(clearings + 1);
      changeContext(() => ({}));
    },
    /** How often the context was cleared. */
    clearings,
    mode,
    setMode,
    context,
    changeContext,
    /** Keys of the strategies of the edited version. */
    keys: strategies.edited.keys,
    saved: toVersion('saved', toggle?.saved.contexts?.[0]),
    /** Absent without unsaved edits. */
    edited: toVersion('edited', toggle?.edited?.contexts?.[0]),
    /** Sentence about definitions that could not be loaded. */
    problem,
    evaluation,
  };
}

/** A request without contexts. */
export type EvaluatedVersions = Omit<EvaluateRequest, 'contexts'>;

/** Returns the request that evaluates a toggle, without contexts; undefined while definitions are loading and if unused. */
export function useEvaluatedToggle({ saved, edited }: ToggleVersions, isUsed = true) {
  const view = usePastView();
  const selection = useRecordedSelection(view?.scope);
  const definitions = useDefinitions(isUsed && !view ? saved : { ...saved, strategies: [], dependencies: [] });
  const isOnAssumed = useStore(assumesOn);
  const before = toDefinition(saved, isOnAssumed);
  const after = toDefinition(edited, isOnAssumed);
  const evaluated: EvaluatedVersions = useJsonMemo(
    // The records contain the definitions of their time.
    view
      ? { at: view.at, ...selection, names: [saved.name] }
      : {
          toggles: [before, ...definitions.toggles],
          segments: [...definitions.segments],
          names: [saved.name],
          ...(jsonEqual(before, after) ? {} : { compare: [after] }),
        },
  );
  const isReady = isUsed && !definitions.isLoading;
  return { evaluated: isReady ? evaluated : undefined, problem: definitions.problem };
}

/** The properties that the result depends on. Others, such as the time of the last call, change more often. */
function toDefinition(toggle: NewerToggle, isOnAssumed: boolean): EvaluatedToggle {
  const { name, enabled, strategies, variants, dependencies = null } = toggle;
  return { name, enabled: enabled || isOnAssumed, strategies, variants, dependencies };
}

/** What explains the result of a version. */
function toKeyedStrategies({ strategies, variants }: NewerToggle, keys: readonly StrategyKey[] | undefined) {
  return { strategies, variants, keys: keys ?? getReadOnlyKeys(strategies) };
}

/** Returns the same object until its JSON changes. For objects that are created while rendering. */
function useJsonMemo<T extends object>(value: T): T {
  const json = JSON.stringify(value);
  return useMemo(() => JSON.parse(json) as T, [json]);
}

interface EvaluationRequest {
  /** A blob contains the JSON. */
  body: EvaluateRequest | Blob;
}

interface Evaluation<Request> {
  /** While a request is running, the response to the previous request. */
  response: EvaluateResponse | undefined;
  /** The request to which the response belongs. */
  request: Request | undefined;
  error: ApiError | undefined;
  isRunning: boolean;
  retry: () => void;
}

/**
 * Evaluates toggles. The request must be memoized: another object is sent, and replaces the request that is running.
 */
export function useEvaluation<Request extends EvaluationRequest>(request: Request | undefined): Evaluation<Request> {
  const { send } = useWrite();
  const run = useMemo(
    () =>
      request &&
      (async (signal: AbortSignal) => ({
        request,
        response: await send(evaluate, { body: request.body, inline: true, signal }),
      })),
    [request, send],
  );
  const { result, ...state } = useLatestRun(run);
  return { response: result?.response, request: result?.request, ...state };
}
