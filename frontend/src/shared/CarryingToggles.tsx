import { featuresWithTag } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { useReadAll } from '@/api/hooks';
import { tagParam } from '@/lib/toggleFacets';

/** Each tag is a call: of more tags nobody reads the toggles one by one. */
const LOOKED_UP = 20;
const NAMED = 5;

/** Whom it concerns when tags go, in a sentence. */
export function CarryingToggles({ tags }: { tags: readonly Tag[] }) {
  const isTooMany = tags.length > LOOKED_UP;
  const { data, error } = useReadAll(isTooMany ? [] : tags.map((tag) => featuresWithTag(tagParam(tag))));
  if (isTooMany) return `These are ${tags.length} tags, which are taken off the toggles that carry them.`;
  if (error) return 'Which toggles that are could not be looked up.';
  if (!data) return 'Looking up which toggles that are …';
  const names = [...new Set(data.flatMap(({ features }) => features.map(({ name }) => name)))].sort();
  if (names.length === 0) return 'No toggle in use is concerned.';
  const more = names.length - NAMED;
  return (
    <>
      Toggles that lose a tag: <b className="wrap-anywhere text-text">{names.slice(0, NAMED).join(', ')}</b>
      {more > 0 && ` and ${more} more`}.
    </>
  );
}
