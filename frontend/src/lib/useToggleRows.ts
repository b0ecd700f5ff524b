import { useMemo } from 'react';
import type { Toggle } from '@/api/generated/types';
import { type CountsByName, filterToggles, sortByName, sortToggles } from './toggleList';
import type { ToggleListSettings } from './toggleListSettings';
import { useMatcher } from './useMatcher';

/** The toggles to show, in order. */
export function useToggleRows(
  toggles: readonly Toggle[],
  { filter, sort, currentProjectId }: ToggleListSettings,
  counts: CountsByName | undefined,
  keeps?: (toggle: Toggle) => boolean,
): readonly Toggle[] {
  const { text, matches } = useMatcher(filter);
  const named = useMemo(() => sortByName(toggles), [toggles]);
  const shown = useMemo(
    () => filterToggles(named, { text, matches, project: currentProjectId, keeps }),
    [named, text, matches, currentProjectId, keeps],
  );
  // New counts come every few seconds; only one order cares.
  const deciding = sort === 'metrics' ? counts : undefined;
  return useMemo(() => sortToggles(shown, sort, deciding), [shown, sort, deciding]);
}
