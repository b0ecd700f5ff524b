import { useMemo } from 'react';
import type { EvaluationResult, Toggle } from '@/api/generated/types';
import { useProjects } from '@/api/reads';
import { resolveProject } from '@/domain/toggles/toggleList';
import { defaultSettings } from '@/domain/toggles/toggleListSettings';
import { useToggleRows } from '@/domain/toggles/useToggleRows';
import type { useEvaluatedToggles } from './useEvaluatedToggles';
import type { useEvaluationFilters } from './useEvaluationFilters';

/** Number of toggles with each result. */
export type ResultCounts = { readonly [result in EvaluationResult]: number };

const NO_TOGGLES: readonly Toggle[] = [];

type Evaluated = Pick<ReturnType<typeof useEvaluatedToggles>, 'toggles' | 'evaluated' | 'isEvaluated'>;
type Search = Pick<ReturnType<typeof useEvaluationFilters>, 'filters' | 'tagged' | 'isKnown'>;

/** Returns the filtered rows in the order of their names, and the counts of all toggles. Undefined until evaluated. */
export function useResultRows({ toggles, evaluated, isEvaluated }: Evaluated, { filters, tagged, isKnown }: Search) {
  const { filter, result } = filters;
  const currentProjectId = resolveProject(filters.project, useProjects());
  const isIncluded = useMemo(
    () =>
      ({ name }: Toggle) =>
        (result === '' || evaluated.get(name)?.result?.result === result) && (tagged?.has(name) ?? true),
    [result, tagged, evaluated],
  );
  const shown = useToggleRows(
    toggles ?? NO_TOGGLES,
    { ...defaultSettings, filter, currentProjectId },
    undefined,
    isIncluded,
  );
  const rows = useMemo(() => shown.flatMap(({ name }) => evaluated.get(name) ?? []), [shown, evaluated]);
  const counts = useMemo(() => {
    const all: { [key in EvaluationResult]: number } = { on: 0, off: 0, application: 0, random: 0 };
    for (const { result: one } of evaluated.values()) if (one) all[one.result] += 1;
    return all;
  }, [evaluated]);
  return isEvaluated ? { rows: isKnown ? rows : undefined, counts } : { rows: undefined, counts: undefined };
}
