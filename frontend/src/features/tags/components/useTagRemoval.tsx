import { formatTag } from '@/lib/tags';
import { TogglesWithTags } from '@/shared/TogglesWithTags';
import { useRemoval } from '@/shared/useRemoval';
import { tags } from '../tags';

export function useTagRemoval() {
  return useRemoval(tags, (tag) => ({
    name: formatTag(tag),
    consequences: (
      <>
        will be removed from all toggles that have it. <TogglesWithTags tags={[tag]} />
      </>
    ),
  }));
}
