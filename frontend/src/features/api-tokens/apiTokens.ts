// Reads and writes of API tokens. A token cannot be edited: it is replaced by a new one.
import { apiTokens, createApiToken, deleteApiToken } from '@/api/endpoints';
import { resource } from '@/api/resource';

export const apiTokenResource = resource({
  noun: 'API token',
  list: apiTokens,
  items: (data) => data.tokens,
  withItems: (data, items) => ({ ...data, tokens: items }),
  id: ({ name }) => name,
  create: createApiToken,
  remove: ({ name }) => deleteApiToken(name),
  nameInNotices: ({ name }) => name,
});
