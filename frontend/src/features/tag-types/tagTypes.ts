// Reads and writes of tag types.
import { createTagType, deleteTagType, tagTypes as list, tags, tagType, updateTagType } from '@/api/endpoints';
import { editableResource } from '@/api/resource';

export const tagTypes = editableResource({
  noun: 'tag type',
  list,
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
