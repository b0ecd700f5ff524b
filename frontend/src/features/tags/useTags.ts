// Reads and writes of tags.
import { useMemo } from 'react';
import { createTag, deleteTag, tags } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';
import { assertTagAddressable } from '@/domain/tags/assertTagAddressable';
import { formatTag, isSameTag } from '@/domain/tags/tags';

export function useTags() {
  const { data, error, reload } = useRead(tags);
  // Memoized, because there may be thousands of tags.
  const sorted = useMemo(() => data?.tags.toSorted(byTypeAndValue), [data]);
  return { tags: sorted, error, reload };
}

function byTypeAndValue(a: Tag, b: Tag): number {
  return a.type.localeCompare(b.type) || a.value.localeCompare(b.value);
}

/** Writes of tags. They throw, and the calling form or dialog shows the error. */
export function useTagWrites() {
  const { send } = useWrite();
  return {
    async create(tag: Tag): Promise<void> {
      await send(createTag, { body: tag, refreshes: [tags], inline: true });
      pushInfo(`Tag ${formatTag(tag)} created.`);
    },
    async remove(tag: Tag): Promise<void> {
      assertTagAddressable(tag);
      const without = patch(tags, (response) => ({
        ...response,
        tags: response.tags.filter((one) => !isSameTag(one, tag)),
      }));
      await send(deleteTag(tag), { patches: () => [without], refreshes: [tags], inline: true });
      pushInfo(`Tag ${formatTag(tag)} removed.`);
    },
  };
}
