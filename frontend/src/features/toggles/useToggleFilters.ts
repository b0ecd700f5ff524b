// Everything that narrows and orders the list, as the address has it.
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { featuresTagged } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useReadAll } from '@/api/hooks';
import { facetsFrom, inAll, noFacets, passes, type ToggleFacets, withFacets } from '@/lib/toggleFacets';
import { noFilter, useToggleListSettings } from '@/lib/toggleListSettings';

export function useToggleFilters() {
  const [params, setParams] = useSearchParams();
  const { settings, change } = useToggleListSettings([params, setParams]);
  // By its text: a search changes the address too, and 10,000 rows are not to be looked through for the same facets.
  const written = withFacets(new URLSearchParams(), facetsFrom(params)).toString();
  const facets = useMemo(() => facetsFrom(new URLSearchParams(written)), [written]);
  // Rows hold no tags, so the server is asked; what it answers stays good while rows change.
  const { data: lists, error: tagError, reload: reloadTags } = useReadAll(facets.tags.map(featuresTagged));
  const tagged = useMemo(() => lists && inAll(lists.map(({ features }) => features)), [lists]);
  const keeps = useMemo(() => (toggle: Toggle) => passes(facets, tagged, toggle), [facets, tagged]);

  return {
    settings,
    change,
    facets,
    narrow: (part: Partial<ToggleFacets>) => setParams(withFacets(params, { ...facets, ...part }), { replace: true }),
    clear: () => change(noFilter, withFacets(params, noFacets)),
    keeps,
    /** Undefined while the toggles with the tags are unknown: then the list is. */
    isKnown: lists !== undefined,
    tagError,
    reloadTags,
  };
}
