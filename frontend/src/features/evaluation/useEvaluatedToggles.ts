// The toggles of the evaluation page with their results.
import { useMemo } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { write } from '@/api/client';
import { applications, evaluate } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { ContextResult, EvaluatedSegment, EvaluateRequest, EvaluateResponse, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { areStrategiesKnown } from '@/api/newerTypes';
import { pushError } from '@/api/notices';
import { usePastView } from '@/api/pastView';
import { useTogglesWithStrategies } from '@/api/reads';
import { useRecordedSelection, useRecordedState } from '@/api/recorded';
import { useSettings } from '@/api/settings';
import { type LabContext, toFragment } from '@/domain/evaluation/labContext';
import { hasSegments, useSegments } from '@/domain/evaluation/useDefinitions';
import { type Run, useLatestRun } from '@/domain/evaluation/useLatestRun';
import { useOldLibraries } from '@/domain/evaluation/useOldLibraries';
import { CURRENT_VARIANT_SEED, OLD_VARIANT_SEED } from '@/domain/evaluation/variantSeed';
import { inPast, paths } from '@/paths';

export interface EvaluatedToggle {
  toggle: Toggle;
  /** Undefined until evaluated, and if the toggle could not be evaluated. */
  result: ContextResult | undefined;
  /** Error of a toggle that could not be evaluated. */
  error: ApiError | undefined;
  /** Variant that client libraries with the old seed select, if an application uses one and the variant differs. */
  oldVariant: string | undefined;
  /** Result for the context to compare with, like `result`. */
  compared: ContextResult | undefined;
  /** Both results are known and differ. */
  differs: boolean;
  /** Page of the toggle, with the context. */
  href: string;
}

/** Evaluates all toggles for a context, and for another one if there is one to compare with. */
export function useEvaluatedToggles(context: LabContext, other?: LabContext) {
  const view = usePastView();
  const [current, recorded] = [useTogglesWithStrategies(), useRecordedState()];
  const { data, error, reload } = view ? recorded : current;
  const toggles = data?.features;
  const known = useMemo(() => toggles?.filter(areStrategiesKnown), [toggles]);
  const usesSegments = useMemo(() => !view && (known?.some(hasSegments) ?? false), [known, view]);
  const { segments, problem, isLoading } = useSegments(usesSegments);
  const evaluation = useToggleResults(isLoading ? undefined : known, { context, segments });
  const comparison = useToggleResults(isLoading || !other ? undefined : known, { context: other ?? NONE, segments });
  const variants = useVariantFields(toggles);
  const old = useToggleResults(variants.withOldLibraries, { context, segments, variantSeed: OLD_VARIANT_SEED });
  const { context: evaluatedContext, results } = evaluation.result ?? {};
  const { context: comparedContext, results: comparedResults } = comparison.result ?? {};
  const oldResults = old.result?.results;
  const evaluated = useMemo(() => {
    const fragment = toFragment(context);
    const toEvaluated = (toggle: Toggle): EvaluatedToggle => {
      const result = results?.get(toggle.name);
      const compared = comparedResults?.get(toggle.name);
      return {
        toggle,
        result: withoutError(result),
        error: result instanceof ApiError ? result : undefined,
        oldVariant: differentVariant(result, oldResults?.get(toggle.name)),
        compared: withoutError(compared),
        differs: differ(withoutError(result), withoutError(compared)),
        href: `${inPast(paths.toggle(toggle.name), view)}${fragment}`,
      };
    };
    return new Map(toggles?.map((toggle) => [toggle.name, toEvaluated(toggle)]));
  }, [toggles, results, comparedResults, oldResults, context, view]);
  const failed = [evaluation, comparison].find((run) => run.error);
  return {
    toggles,
    /** By name. */
    evaluated,
    error: failed?.error ?? (toggles ? undefined : error),
    retry: failed?.retry ?? reload,
    isRunning: evaluation.isRunning || comparison.isRunning,
    isEvaluated: results !== undefined,
    /** The contexts to which the results belong: while others are evaluated, the previous ones. */
    contexts: { evaluated: evaluatedContext, compared: comparedContext },
    problem,
    variants,
  };
}

const NONE: LabContext = {};

/** Returns whether two results are known, and mean another result or variant for an application. */
function differ(one: ContextResult | undefined, other: ContextResult | undefined): boolean {
  if (!one || !other) return false;
  return one.result !== other.result || one.probability !== other.probability || one.variant !== other.variant;
}

/** Whether toggles have variants, and the applications that report their client libraries. */
function useVariantFields(toggles: readonly Toggle[] | undefined) {
  const { listsVariants } = useCapabilities();
  const isKnown = usePastView() !== undefined || listsVariants;
  const withVariants = useMemo(() => (isKnown ? toggles?.filter(hasVariants) : undefined), [isKnown, toggles]);
  const isUsed = withVariants !== undefined && withVariants.length > 0;
  const { data } = useRead(isUsed ? applications : null);
  const apps = useMemo(() => data?.applications.map(({ appName }) => appName) ?? [], [data]);
  const hasOldLibraries = useOldLibraries(apps, CURRENT_VARIANT_SEED).length > 0;
  return { isUsed, apps, withOldLibraries: hasOldLibraries ? withVariants : undefined };
}

function hasVariants({ variants, strategies }: Toggle): boolean {
  const lists = [variants, ...strategies.map((strategy) => strategy.variants)];
  return lists.some((list) => list && list.length > 0);
}

type Result = ContextResult | ApiError | undefined;

function withoutError(result: Result): ContextResult | undefined {
  return result instanceof ApiError ? undefined : result;
}

function differentVariant(current: Result, old: Result): string | undefined {
  if (!current || !old || current instanceof ApiError || old instanceof ApiError) return undefined;
  return old.variant === current.variant ? undefined : old.variant;
}

// Results of many toggles for one context.

interface Options {
  context: LabContext;
  segments: readonly EvaluatedSegment[];
  variantSeed?: number;
}

/**
 * Evaluates the toggles; nothing if they are undefined. All arguments must be memoized. A list in which only last-seen times
 * differ, which polls update, has the same results.
 */
export function useToggleResults(
  toggles: readonly Toggle[] | undefined,
  { context, segments, variantSeed }: Options,
): Run<{ context: LabContext; results: ToggleResults }> {
  const isStoredHere = useSettings()?.mode === 'embedded';
  const recording = useRecordingJson();
  const evaluatedParts = useMemo(() => toggles && `[${toggles.map(toEvaluatedPart)}]`, [toggles]);
  const run = useMemo(() => {
    if (evaluatedParts === undefined) return undefined;
    const evaluated: Toggle[] = JSON.parse(evaluatedParts);
    const recorded: Pick<EvaluateRequest, 'at' | 'scope' | 'environment'> | undefined =
      recording && JSON.parse(recording);
    return (signal: AbortSignal) => {
      const send = (part: readonly Toggle[]) => write(evaluate, toRequest(part), { signal });
      const toRequest = (part: readonly Toggle[]): EvaluateRequest => ({
        names: part.map(({ name }) => name),
        ...recorded,
        // The embedded flag service and the flight recorder have the toggles.
        ...(!isStoredHere && !recorded && { toggles: [...part], segments: [...segments] }),
        contexts: [context],
        detail: 'reasons',
        ...(variantSeed !== undefined && { variantSeed }),
      });
      return evaluateInParts(evaluated, send).then((results) => ({ context, results }), recordError);
    };
  }, [evaluatedParts, context, segments, variantSeed, isStoredHere, recording]);
  return useLatestRun(run);
}

/** Returns the JSON of the recorded time of the page, because effects compare it; undefined at the present. */
function useRecordingJson(): string | undefined {
  const view = usePastView();
  const selection = useRecordedSelection(view?.scope);
  return view && JSON.stringify({ at: view.at, ...selection });
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

/** Results of toggles for one context by name, or the error of a toggle that is above a limit of the server. */
type ToggleResults = ReadonlyMap<string, ContextResult | ApiError>;

/** Toggles of one request: below all limits for usual toggles, and quick to serialise. */
const PART = 250;

type Send = (toggles: readonly Toggle[]) => Promise<EvaluateResponse | undefined>;

/** Evaluates toggles with several requests. A request above a limit of the server is divided. */
export async function evaluateInParts(toggles: readonly Toggle[], send: Send): Promise<ToggleResults> {
  const results = new Map<string, ContextResult | ApiError>();
  for (let first = 0; first < toggles.length; first += PART) {
    await evaluatePart(toggles.slice(first, first + PART), send, results);
  }
  return results;
}

async function evaluatePart(
  part: readonly Toggle[],
  send: Send,
  results: Map<string, ContextResult | ApiError>,
): Promise<void> {
  try {
    const response = await send(part);
    for (const { name, saved } of response?.toggles ?? []) {
      const [result] = saved.contexts ?? [];
      if (result) results.set(name, result);
    }
  } catch (failure) {
    // 413: too much work, or a body that is too large.
    if (!(failure instanceof ApiError) || failure.status !== 413) throw failure;
    const [first] = part;
    if (part.length === 1 && first) {
      results.set(first.name, failure);
      return;
    }
    const middle = Math.ceil(part.length / 2);
    await evaluatePart(part.slice(0, middle), send, results);
    await evaluatePart(part.slice(middle), send, results);
  }
}
