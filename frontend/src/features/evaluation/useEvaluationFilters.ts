// Filters of the evaluation page, from the URL.
import { useMemo } from 'react';
import { featuresWithTag } from '@/api/endpoints';
import type { EvaluationResult } from '@/api/generated/types';
import { useReadAll } from '@/api/useRead';
import { allProjects } from '@/domain/toggles/toggleList';
import { useUrlParams } from '@/shared/useUrlParams';

export interface EvaluationFilters {
  filter: string;
  /** Empty for all results. */
  result: EvaluationResult | '';
  project: string;
  /** Tag such as `simple:checkout`, or empty. */
  tag: string;
}

const NO_FILTERS: EvaluationFilters = { filter: '', result: '', project: allProjects, tag: '' };
const RESULTS: readonly EvaluationResult[] = ['on', 'off', 'application', 'random'];

export function useEvaluationFilters() {
  const [params, changeParams] = useUrlParams();
  const filters: EvaluationFilters = {
    filter: params.get('filter') ?? '',
    result: RESULTS.find((result) => result === params.get('result')) ?? '',
    project: params.get('project') ?? allProjects,
    tag: params.get('tag') ?? '',
  };
  const { tag } = filters;
  // Toggles in the list have no tags, so the server is asked for the toggles with the tag.
  const lists = useReadAll(tag === '' ? [] : [featuresWithTag(tag)]);
  const tagged = useMemo(() => {
    const [list] = lists.data ?? [];
    return list && new Set(list.features.map(({ name }) => name));
  }, [lists.data]);

  function change(part: Partial<EvaluationFilters>) {
    changeParams((current) => {
      for (const [name, value] of Object.entries(part)) {
        if (value === NO_FILTERS[name as keyof EvaluationFilters]) current.delete(name);
        else current.set(name, value);
      }
      return current;
    });
  }

  return {
    filters,
    change,
    clear: () => change(NO_FILTERS),
    /** Names of the toggles with the tag; undefined without a tag. */
    tagged,
    /** False while the toggles with the tag are loading. */
    isKnown: lists.data !== undefined,
    tagError: lists.error,
    reloadTag: lists.reload,
  };
}
