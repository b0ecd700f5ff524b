// Filters of the toggle list besides text and project. They are stored only in the URL, so that a newly opened list
// is never filtered by them.
import type { Tag, Toggle } from '@/api/generated/types';

export interface ToggleFacets {
  readonly state: '' | 'on' | 'off';
  readonly status: '' | 'active' | 'stale';
  /** Id of a toggle type, or empty. */
  readonly type: string;
  /** Tags such as `simple:checkout`. A toggle must have all of them. */
  readonly tags: readonly string[];
}

export const noFacets: ToggleFacets = { state: '', status: '', type: '', tags: [] };

function oneOf<T extends string>(value: string | null, known: readonly T[]): T | '' {
  return known.find((one) => one === value) ?? '';
}

export function parseFacets(params: URLSearchParams): ToggleFacets {
  return {
    state: oneOf(params.get('state'), ['on', 'off']),
    status: oneOf(params.get('status'), ['active', 'stale']),
    type: params.get('type') ?? '',
    tags: [...new Set(params.getAll('tag'))].filter((tag) => parseTagParam(tag) !== undefined),
  };
}

export function writeFacets(params: URLSearchParams, { tags, ...single }: ToggleFacets): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(single)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  next.delete('tag');
  for (const tag of tags) next.append('tag', tag);
  return next;
}

/** Parses `type:value` at the first colon: values may contain colons, types do not. */
export function parseTagParam(text: string): Tag | undefined {
  const [, type, value] = /^([^:]+):(.+)$/su.exec(text) ?? [];
  return type !== undefined && value !== undefined ? { type, value } : undefined;
}

export function formatTagParam({ type, value }: Tag): string {
  return `${type}:${value}`;
}

/** Returns whether the toggle matches. `tagged`: names of the toggles with all tags, undefined without a tag filter. */
export function matchesFacets(
  { state, status, type }: ToggleFacets,
  tagged: ReadonlySet<string> | undefined,
  toggle: Toggle,
): boolean {
  if (state !== '' && toggle.enabled !== (state === 'on')) return false;
  if (status !== '' && toggle.stale !== (status === 'stale')) return false;
  if (type !== '' && toggle.type !== type) return false;
  return tagged === undefined || tagged.has(toggle.name);
}

/** Returns the names that all lists contain; undefined without lists. */
export function intersectNames(lists: readonly (readonly { name: string }[])[]): Set<string> | undefined {
  const [first, ...others] = lists.map((list) => new Set(list.map(({ name }) => name)));
  return first && new Set([...first].filter((name) => others.every((other) => other.has(name))));
}
