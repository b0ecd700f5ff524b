// Filters and sort order of the toggle list, from the URL.
import { useMemo } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { featuresWithTag } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useReadAll } from '@/api/useRead';
import {
  intersectNames,
  matchesFacets,
  noFacets,
  parseFacets,
  type ToggleFacets,
  writeFacets,
} from '@/domain/toggles/toggleFacets';
import { clearedFilter, getNewToggleProjectOverride, useToggleListSettings } from '@/domain/toggles/toggleListSettings';
import { useUrlParams } from '@/shared/useUrlParams';

const NO_TAG_FILTER = { message: 'Servers before 3.11 cannot list the toggles with a tag.' };

/** Computes the change from the facets of the current URL. */
export type NarrowFacets = (edit: (facets: ToggleFacets) => Partial<ToggleFacets>) => void;

export function useToggleFilters() {
  const urlParams = useUrlParams();
  const [params] = urlParams;
  const { settings, change } = useToggleListSettings(urlParams);
  // Memoized by text: a search changes the URL too, and must not filter 10,000 rows again by the same facets.
  const serialized = writeFacets(new URLSearchParams(), parseFacets(params)).toString();
  const facets = useMemo(() => parseFacets(new URLSearchParams(serialized)), [serialized]);
  // Toggles in the list have no tags, so the server is asked for the toggles with each tag.
  const { data: lists, error, reload: reloadTags } = useReadAll(facets.tags.map(featuresWithTag));
  const isUnfiltered = !useCapabilities().filtersByTag && facets.tags.length > 0;
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
    /** Project of a toggle created from this list; undefined if it equals the stored project. */
    newToggleProject: getNewToggleProjectOverride(params),
    isIncluded,
    /** False while the toggles with the tags are loading. */
    isKnown: lists !== undefined && !isUnfiltered,
    tagError: isUnfiltered ? NO_TAG_FILTER : error,
    reloadTags: isUnfiltered ? undefined : reloadTags,
  };
}
