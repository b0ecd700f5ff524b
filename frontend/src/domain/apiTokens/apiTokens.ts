// Reads and writes of API tokens. A token cannot be edited: it is replaced by a new one.
import { apiTokens, createApiToken, deleteApiToken } from '@/api/endpoints';
import type { ApiTokenDraft } from '@/api/generated/types';
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

export const newToken: ApiTokenDraft = { name: '', kind: 'client', origins: [], projects: [], tags: [] };

/** Origin that stands for every origin. */
const ANY_ORIGIN = '*';

/** Returns whether the text is an origin in the form that browsers send: http or https, a host, and an optional port. */
export function isOrigin(text: string): boolean {
  return text === ANY_ORIGIN || (/^https?:\/\/[^/?#@*\\\s]+$/iu.test(text) && URL.canParse(text));
}

/** The problem with an origin, and how to fix it. */
export function describeInvalidOrigin(text: string): string {
  return `${text} is not an origin. Enter a scheme and a host, such as https://shop.example, or ${ANY_ORIGIN}.`;
}
