// Input of the token form, its validation, and the description of the scope of a token.
import type { ApiToken, ApiTokenDraft, TokenKind } from '@/api/generated/types';
import { describeInvalidOrigin, isOrigin, newToken } from '@/domain/apiTokens/apiTokens';
import { joinFirst } from '@/lib/text';
import type { FieldErrors } from '@/shared/useForm';

export const TOKEN_KINDS: readonly { value: TokenKind; label: string }[] = [
  { value: 'client', label: 'Client' },
  { value: 'frontend', label: 'Frontend' },
];

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
    origins: origin && describeInvalidOrigin(origin),
    tags: tag && `${tag} is not a tag. Enter a type and a value, such as team:checkout.`,
  };
}

function nameError(name: string): string | undefined {
  return name.trim() === '' ? 'Enter a name.' : undefined;
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
  if (origins.includes('*')) return 'any';
  return origins.length === 0 ? 'none' : joinFirst(origins, max);
}
