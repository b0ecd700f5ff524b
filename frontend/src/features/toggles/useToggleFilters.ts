// All filters and the sort order of the list, from the URL.
import { useMemo } from 'react';
import { featuresWithTag } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useReadAll } from '@/api/hooks';
import { facetsFrom, inAll, noFacets, passes, type ToggleFacets, withFacets } from '@/lib/toggleFacets';
import { noFilter, projectFromList, useToggleListSettings } from '@/lib/toggleListSettings';
import { useUrlParams } from '@/shared/useUrlParams';

/** Computes the change from the facets of the current URL. */
export type NarrowFacets = (edit: (facets: ToggleFacets) => Partial<ToggleFacets>) => void;

export function useToggleFilters() {
  const urlParams = useUrlParams();
  const [params] = urlParams;
  const { settings, change } = useToggleListSettings(urlParams);
  // By its text: a search changes the address too, and 10,000 rows are not to be looked through for the same facets.
  const written = withFacets(new URLSearchParams(), facetsFrom(params)).toString();
  const facets = useMemo(() => facetsFrom(new URLSearchParams(written)), [written]);
  // Rows hold no tags, so the server is asked; what it answers stays good while rows change.
  const { data: lists, error: tagError, reload: reloadTags } = useReadAll(facets.tags.map(featuresWithTag));
  const tagged = useMemo(() => lists && inAll(lists.map(({ features }) => features)), [lists]);
  const keeps = useMemo(() => (toggle: Toggle) => passes(facets, tagged, toggle), [facets, tagged]);

  const narrow: NarrowFacets = (edit) =>
    change({}, (current) => {
      const now = facetsFrom(current);
      return withFacets(current, { ...now, ...edit(now) });
    });

  return {
    settings,
    change,
    facets,
    narrow,
    clear: () => change(noFilter, (current) => withFacets(current, noFacets)),
    /** The project of a toggle that is created from this list; undefined if it is the stored one. */
    newToggleProject: projectFromList(params),
    keeps,
    /** Undefined while the toggles with the tags are unknown: then the list is. */
    isKnown: lists !== undefined,
    tagError,
    reloadTags,
  };
}
