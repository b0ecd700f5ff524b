// Input of the token form, its validation, and the description of the scope of a token.
import type { ApiToken, ApiTokenDraft, TokenKind } from '@/api/generated/types';
import { joinFirst } from '@/lib/text';
import type { FieldErrors } from '@/shared/useForm';

/** Origin that stands for every origin. */
const ANY_ORIGIN = '*';

export const TOKEN_KINDS: readonly { value: TokenKind; label: string }[] = [
  { value: 'client', label: 'Client' },
  { value: 'frontend', label: 'Frontend' },
];

export const newToken: ApiTokenDraft = { name: '', kind: 'client', origins: [], projects: [], tags: [] };

/** Trims the name, and removes the fields that the kind does not have. */
export function toTokenDraft({ name, kind, ...scope }: ApiTokenDraft): ApiTokenDraft {
  return { ...newToken, ...(kind === 'frontend' && scope), name: name.trim(), kind };
}

export function tokenErrors({ name, kind, origins, tags }: ApiTokenDraft): FieldErrors<ApiTokenDraft> {
  if (kind === 'client') return { name: nameError(name) };
  const origin = origins.find((text) => !isOrigin(text));
  const tag = tags.find((text) => !/^[^:]{2,50}:.{2,50}$/u.test(text));
  return {
    name: nameError(name),
    origins: origin && `${origin} is not an origin. Enter a scheme and a host, such as https://shop.example, or *.`,
    tags: tag && `${tag} is not a tag. Enter a type and a value, such as team:checkout.`,
  };
}

function nameError(name: string): string | undefined {
  return name.trim() === '' ? 'Enter a name.' : undefined;
}

/** Returns whether the text is an origin in the form that browsers send: http or https, a host, and an optional port. */
function isOrigin(text: string): boolean {
  return text === ANY_ORIGIN || (/^https?:\/\/[^/?#@*\\\s]+$/iu.test(text) && URL.canParse(text));
}

/** Returns whether requests of client libraries need no token any more after this token was removed. */
export function isLastClientToken({ name, kind }: ApiToken, tokens: readonly ApiToken[]): boolean {
  return kind === 'client' && tokens.every((other) => other.kind !== 'client' || other.name === name);
}

/** Describes what a token can be used for, in one line for each part, with at most `max` items of each list. */
export function describeScope({ kind, origins, projects, tags }: ApiTokenDraft, max = Infinity): string[] {
  const toggles = [
    projects.length > 0 && `Projects: ${joinFirst(projects, max)}`,
    tags.length > 0 && `Tags: ${joinFirst(tags, max)}`,
  ].filter((part) => part !== false);
  if (toggles.length === 0) toggles.push('All toggles');
  return kind === 'client' ? toggles : [`Origins: ${describeOrigins(origins, max)}`, ...toggles];
}

function describeOrigins(origins: readonly string[], max: number): string {
  if (origins.includes(ANY_ORIGIN)) return 'any';
  return origins.length === 0 ? 'none' : joinFirst(origins, max);
}
