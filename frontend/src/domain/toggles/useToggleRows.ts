import { useEffect, useMemo } from 'react';
import type { Toggle } from '@/api/generated/types';
import { useMatcher } from '@/lib/useMatcher';
import { type CountsByName, filterToggles, prepareSearch, sortByName, sortToggles } from './toggleList';
import type { ToggleListSettings } from './toggleListSettings';

/** Returns the filtered toggles in sort order. */
export function useToggleRows(
  toggles: readonly Toggle[],
  { filter, sort, reversed, currentProjectId }: ToggleListSettings,
  counts: CountsByName | undefined,
  isIncluded?: (toggle: Toggle) => boolean,
): readonly Toggle[] {
  const { text, matches } = useMatcher(filter);
  // Only the browser knows when it is idle.
  useEffect(() => prepareSearch(toggles), [toggles]);
  const named = useMemo(() => sortByName(toggles), [toggles]);
  const shown = useMemo(
    () => filterToggles(named, { text, matches, project: currentProjectId, isIncluded }),
    [named, text, matches, currentProjectId, isIncluded],
  );
  // Counts change every few seconds. Only one sort order depends on them.
  const sortCounts = sort === 'metrics' ? counts : undefined;
  return useMemo(() => sortToggles(shown, { sort, reversed }, sortCounts), [shown, sort, reversed, sortCounts]);
}
