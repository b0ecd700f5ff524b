// The toggles of the evaluation page with their results.
import { useMemo } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { applications } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { ContextResult, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { areStrategiesKnown } from '@/api/newerTypes';
import { useTogglesWithStrategies } from '@/api/reads';
import { type LabContext, toFragment } from '@/domain/evaluation/labContext';
import { hasSegments, useSegments } from '@/domain/evaluation/useDefinitions';
import { useOldLibraries } from '@/domain/evaluation/VariantHashNote';
import { OLD_VARIANT_SEED } from '@/domain/evaluation/variantSeed';
import { paths } from '@/paths';
import { useToggleResults } from './useToggleResults';

export interface EvaluatedToggle {
  toggle: Toggle;
  /** Undefined until evaluated, and if the toggle could not be evaluated. */
  result: ContextResult | undefined;
  /** Error of a toggle that could not be evaluated. */
  error: ApiError | undefined;
  /** Variant that client libraries with the old seed select, if an application uses one and the variant differs. */
  oldVariant: string | undefined;
  /** Page of the toggle, with the context. */
  href: string;
}

export function useEvaluatedToggles(context: LabContext) {
  const { data, error, reload } = useTogglesWithStrategies();
  const toggles = data?.features;
  const known = useMemo(() => toggles?.filter(areStrategiesKnown), [toggles]);
  const usesSegments = useMemo(() => known?.some(hasSegments) ?? false, [known]);
  const { segments, problem, isLoading } = useSegments(usesSegments);
  const evaluation = useToggleResults(isLoading ? undefined : known, { context, segments });
  const variants = useVariants(toggles);
  const old = useToggleResults(variants.withOldLibraries, { context, segments, variantSeed: OLD_VARIANT_SEED });
  const { result: results } = evaluation;
  const evaluated = useMemo(() => {
    const fragment = toFragment(context);
    const toEvaluated = (toggle: Toggle): EvaluatedToggle => {
      const result = results?.get(toggle.name);
      const error = result instanceof ApiError ? result : undefined;
      return {
        toggle,
        result: result instanceof ApiError ? undefined : result,
        error,
        oldVariant: differentVariant(result, old.result?.get(toggle.name)),
        href: `${paths.toggle(toggle.name)}${fragment}`,
      };
    };
    return new Map(toggles?.map((toggle) => [toggle.name, toEvaluated(toggle)]));
  }, [toggles, results, old.result, context]);
  return {
    toggles,
    /** By name. */
    evaluated,
    error: evaluation.error ?? (toggles ? undefined : error),
    retry: evaluation.error ? evaluation.retry : reload,
    isRunning: evaluation.isRunning,
    isEvaluated: results !== undefined,
    problem,
    variants,
  };
}

/** Whether toggles have variants, and the applications that report their client libraries. */
function useVariants(toggles: readonly Toggle[] | undefined) {
  const { listsVariants: isKnown } = useCapabilities();
  const withVariants = useMemo(() => (isKnown ? toggles?.filter(hasVariants) : undefined), [isKnown, toggles]);
  const isUsed = withVariants !== undefined && withVariants.length > 0;
  const { data } = useRead(isUsed ? applications : null, { handlesFailure: true });
  const apps = useMemo(() => data?.applications.map(({ appName }) => appName) ?? [], [data]);
  const hasOldLibraries = useOldLibraries(apps).length > 0;
  return { isUsed, apps, withOldLibraries: hasOldLibraries ? withVariants : undefined };
}

function hasVariants({ variants, strategies }: Toggle): boolean {
  const lists = [variants, ...strategies.map((strategy) => strategy.variants)];
  return lists.some((list) => list && list.length > 0);
}

type Result = ContextResult | ApiError | undefined;

function differentVariant(current: Result, old: Result): string | undefined {
  if (!current || !old || current instanceof ApiError || old instanceof ApiError) return undefined;
  return old.variant === current.variant ? undefined : old.variant;
}
