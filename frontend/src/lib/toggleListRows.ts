import { use, useDeferredValue, useMemo } from 'react';
import type { Toggle } from '@/api/generated/types';
import { byName, type CountsByName, filterToggles, sortToggles } from './toggleList';
import { matcherFor } from './toggleListPattern';
import type { ToggleListSettings } from './toggleListSettings';

/** The toggles to show, in order. While a pattern's engine is being loaded, the rows from before stay. */
export function useToggleRows(
  toggles: readonly Toggle[],
  { filter, sort, currentProjectId }: ToggleListSettings,
  counts: CountsByName | undefined,
  keeps?: (toggle: Toggle) => boolean,
): readonly Toggle[] {
  const text = useDeferredValue(filter.trim());
  const matcher = matcherFor(text);
  const matches = matcher instanceof Promise ? use(matcher) : matcher;
  const named = useMemo(() => byName(toggles), [toggles]);
  const shown = useMemo(
    () => filterToggles(named, { text, matches, project: currentProjectId, keeps }),
    [named, text, matches, currentProjectId, keeps],
  );
  // New counts come every few seconds; only one order cares.
  const deciding = sort === 'metrics' ? counts : undefined;
  return useMemo(() => sortToggles(shown, sort, deciding), [shown, sort, deciding]);
}
