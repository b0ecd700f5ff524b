// All filters and the sort order of the list, from the URL.
import { useMemo } from 'react';
import { featuresTagged } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useReadAll } from '@/api/hooks';
import {
  intersectNames,
  matchesFacets,
  noFacets,
  parseFacets,
  type ToggleFacets,
  writeFacets,
} from '@/lib/toggleFacets';
import { clearedFilter, getNewToggleProjectOverride, useToggleListSettings } from '@/lib/toggleListSettings';
import { useUrlParams } from '@/shared/useUrlParams';

/** Computes the change from the facets of the current URL. */
export type NarrowFacets = (edit: (facets: ToggleFacets) => Partial<ToggleFacets>) => void;

export function useToggleFilters() {
  const urlParams = useUrlParams();
  const [params] = urlParams;
  const { settings, change } = useToggleListSettings(urlParams);
  // By its text: a search changes the address too, and 10,000 rows are not to be looked through for the same facets.
  const written = writeFacets(new URLSearchParams(), parseFacets(params)).toString();
  const facets = useMemo(() => parseFacets(new URLSearchParams(written)), [written]);
  // Rows hold no tags, so the server is asked; what it answers stays good while rows change.
  const { data: lists, error: tagError, reload: reloadTags } = useReadAll(facets.tags.map(featuresTagged));
  const tagged = useMemo(() => lists && intersectNames(lists.map(({ features }) => features)), [lists]);
  const isIncluded = useMemo(() => (toggle: Toggle) => matchesFacets(facets, tagged, toggle), [facets, tagged]);

  const narrow: NarrowFacets = (edit) =>
    change({}, (current) => {
      const now = parseFacets(current);
      return writeFacets(current, { ...now, ...edit(now) });
    });

  return {
    settings,
    change,
    facets,
    narrow,
    clear: () => change(clearedFilter, (current) => writeFacets(current, noFacets)),
    /** The project of a toggle that is created from this list; undefined if it is the stored one. */
    newToggleProject: getNewToggleProjectOverride(params),
    isIncluded,
    /** Undefined while the toggles with the tags are unknown: then the list is. */
    isKnown: lists !== undefined,
    tagError,
    reloadTags,
  };
}
