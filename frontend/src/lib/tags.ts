// Tags as people choose and read them.
import type { Tag, TagType } from '@/api/generated/types';

export const DEFAULT_TAG_TYPE = 'simple';

/** The tag that is sent: a tag without a type has the default type. */
export function toTag(type: string, value: string): Tag {
  return { type: type.trim() || DEFAULT_TAG_TYPE, value: value.trim() };
}

export function isSameTag(a: Tag, b: Tag): boolean {
  return a.type === b.type && a.value === b.value;
}

/** As part of an address it means another one, however it is encoded: no browser can ask for such a tag. */
export function isOnlyDots(value: string): boolean {
  return /^\.{1,2}$/.test(value);
}

/** What is wrong with the value of a new one. */
export function validateTagValue(value: string): string | undefined {
  if (value.trim() === '') return 'Give the tag a value.';
  return isOnlyDots(value.trim()) ? 'Give the tag a value that is more than dots.' : undefined;
}

/** The type counts for little where everything is of the usual one, but a value alone may belong to several types. */
export function formatTag({ type, value }: Tag): string {
  return `${type}: ${value}`;
}

/** The types to choose from; the usual one is there even where the list of types cannot be read. */
export function tagTypeNames(types: readonly TagType[]): string[] {
  const names = types.map(({ name }) => name);
  return names.includes(DEFAULT_TAG_TYPE) ? names : [DEFAULT_TAG_TYPE, ...names];
}

/** Values that a tag of this type has elsewhere, and the toggle does not. */
export function suggestTagValues(known: readonly Tag[], present: readonly Tag[], type: string): string[] {
  return known
    .filter((tag) => tag.type === type && !present.some((one) => isSameTag(one, tag)))
    .map(({ value }) => value);
}
