import { useCapabilities } from '@/api/capabilities';
import { featuresWithTag } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { useReadAll } from '@/api/useRead';
import { formatTagParam } from '@/domain/toggles/toggleFacets';
import { NameList } from '@/ui/NameList';

/** Maximum number of tags to look up, because each one is a request. */
const MAX_REQUESTS = 20;

/** Lists the toggles that are affected by removing tags. */
export function TogglesWithTags({ tags }: { tags: readonly Tag[] }) {
  const isTooMany = tags.length > MAX_REQUESTS;
  const { data, error } = useReadAll(isTooMany ? [] : tags.map((tag) => featuresWithTag(formatTagParam(tag))));
  const { filtersByTag } = useCapabilities();
  if (isTooMany) return `${tags.length} tags will be removed from all toggles that have them.`;
  if (!filtersByTag) return 'Servers before 3.11 cannot list the toggles with a tag.';
  if (error) return 'The affected toggles could not be loaded.';
  if (!data) return 'Loading the affected toggles…';
  const names = [...new Set(data.flatMap(({ features }) => features.map(({ name }) => name)))].sort();
  if (names.length === 0) return 'No active toggle has these tags.';
  return (
    <>
      Affected toggles: <NameList names={names} />.
    </>
  );
}
