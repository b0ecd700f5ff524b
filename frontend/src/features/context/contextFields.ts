// Reads and writes of context fields.
import {
  contextField,
  createContextField,
  deleteContextField,
  context as list,
  updateContextField,
} from '@/api/endpoints';
import { editableResource } from '@/api/resource';
import { sortFields } from './rules';

export const contextFields = editableResource({
  noun: 'context field',
  list,
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
