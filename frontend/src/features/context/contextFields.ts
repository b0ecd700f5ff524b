// Reads and writes of context fields.
import { context, contextField, createContextField, deleteContextField, updateContextField } from '@/api/endpoints';
import { editableResource } from '@/api/resource';
import { sortFields } from './rules';

export const contextFieldResource = editableResource({
  noun: 'context field',
  list: context,
  items: (fields) => fields,
  withItems: (_, fields) => fields,
  id: ({ name }) => name,
  sort: sortFields,
  one: (name) => contextField(String(name)),
  create: createContextField,
  update: ({ name }) => updateContextField(name),
  remove: ({ name }) => deleteContextField(name),
  nameInNotices: ({ name }) => name,
});
