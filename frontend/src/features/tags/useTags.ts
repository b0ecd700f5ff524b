// The tags that toggles can carry, and what can be done to them.
import { useMemo } from 'react';
import { createTag, deleteTag, tags } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';
import { isSameTag, tagText } from '@/lib/tags';
import { checkRemovable } from '@/shared/checkRemovable';

export function useTags() {
  const { data, error, reload } = useRead(tags);
  // There may be thousands.
  const sorted = useMemo(() => data?.tags.toSorted(byTypeAndValue), [data]);
  return { tags: sorted, error, reload };
}

function byTypeAndValue(a: Tag, b: Tag): number {
  return a.type.localeCompare(b.type) || a.value.localeCompare(b.value);
}

/** Both throw: the form or dialog that asked shows why. */
export function useTagWrites() {
  const { send } = useWrite();
  return {
    async create(tag: Tag): Promise<void> {
      await send(createTag, { body: tag, refreshes: [tags], inline: true });
      pushInfo(`Tag ${tagText(tag)} created.`);
    },
    async remove(tag: Tag): Promise<void> {
      checkRemovable(tag);
      const without = patch(tags, (answer) => ({
        ...answer,
        tags: answer.tags.filter((one) => !isSameTag(one, tag)),
      }));
      await send(deleteTag(tag), { patches: () => [without], refreshes: [tags], inline: true });
      pushInfo(`Tag ${tagText(tag)} removed.`);
    },
  };
}
