// Reads and writes of tag types.
import { createTagType, deleteTagType, tags, tagType, tagTypes, updateTagType } from '@/api/endpoints';
import { editableResource } from '@/api/resource';

export const tagTypeResource = editableResource({
  noun: 'tag type',
  list: tagTypes,
  items: (data) => data.tagTypes,
  withItems: (data, items) => ({ ...data, tagTypes: items }),
  id: ({ name }) => name,
  one: (name) => tagType(String(name)),
  create: createTagType,
  update: ({ name }) => updateTagType(name),
  remove: ({ name }) => deleteTagType(name),
  affects: [tags],
  nameInNotices: ({ name }) => name,
});
