// Reads and writes of tags. A tag has no fields besides its identity, so it cannot be edited.

import { createTag, deleteTag, tags } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { resource } from '@/api/resource';
import { assertTagAddressable, formatTag } from '@/domain/tags/tags';
import { compareNames } from '@/lib/compareNames';

export const tagResource = resource({
  noun: 'tag',
  list: tags,
  items: (data) => data.tags,
  withItems: (data, items) => ({ ...data, tags: items }),
  id: ({ type, value }) => JSON.stringify([type, value]),
  sort: (items) => items.toSorted(byTypeAndValue),
  create: createTag,
  remove: (tag) => {
    assertTagAddressable(tag);
    return deleteTag(tag);
  },
  nameInNotices: formatTag,
});

function byTypeAndValue(a: Tag, b: Tag): number {
  return compareNames(a.type, b.type) || compareNames(a.value, b.value);
}
