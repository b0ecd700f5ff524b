import type { Tag } from '@/api/generated/types';
import { formatTag } from '@/lib/tags';
import { TogglesWithTags } from '@/shared/TogglesWithTags';
import { describeRemoval } from '@/ui/describeRemoval';
import { useConfirm } from '@/ui/useConfirm';
import { tags } from '../tags';

export function useTagRemoval() {
  const remove = tags.useRemove();
  return useConfirm<Tag>((tag) =>
    describeRemoval({
      noun: tags.noun,
      name: formatTag(tag),
      consequences: (
        <>
          will be removed from all toggles that have it. <TogglesWithTags tags={[tag]} />
        </>
      ),
      action: () => remove(tag),
    }),
  );
}
