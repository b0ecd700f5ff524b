// Reads and writes of tag types.
import { createTagType, deleteTagType, tagTypes as list, tags, updateTagType } from '@/api/endpoints';
import { editableResource } from '@/api/resource';

export const tagTypes = editableResource({
  noun: 'tag type',
  list,
  items: (data) => data.tagTypes,
  withItems: (data, items) => ({ ...data, tagTypes: items }),
  id: ({ name }) => name,
  create: createTagType,
  update: ({ name }) => updateTagType(name),
  // A newer server sends a colour of null and refuses it; without a colour it keeps the stored one.
  toBody: ({ name, description, icon }) => ({ name, description, icon }),
  remove: ({ name }) => deleteTagType(name),
  affects: [tags],
  nameInNotices: ({ name }) => name,
});
