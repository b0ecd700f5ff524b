// Reads and writes of API tokens. A token cannot be edited: it is replaced by a new one.
import { createApiToken, deleteApiToken, apiTokens as list } from '@/api/endpoints';
import { resource } from '@/api/resource';

export const apiTokens = resource({
  noun: 'API token',
  list,
  items: (data) => data.tokens,
  withItems: (data, items) => ({ ...data, tokens: items }),
  id: ({ name }) => name,
  create: createApiToken,
  remove: ({ name }) => deleteApiToken(name),
  nameInNotices: ({ name }) => name,
});
