// Tags: identity, validation and display.
import type { Tag, TagType } from '@/api/generated/types';
import { SaveCancelledError } from '@/shared/SaveCancelledError';

export const DEFAULT_TAG_TYPE = 'simple';

/** Creates a tag from form input. Without a type it gets the default type. */
export function toTag(type: string, value: string): Tag {
  return { type: type.trim() || DEFAULT_TAG_TYPE, value: value.trim() };
}

export function isSameTag(a: Tag, b: Tag): boolean {
  return a.type === b.type && a.value === b.value;
}

/** Returns whether the value is `.` or `..`. Browsers resolve these path segments, even encoded, before a request. */
function isOnlyDots(value: string): boolean {
  return /^\.{1,2}$/.test(value);
}

/** Formats a tag with its type, because the same value may exist in several types. */
export function formatTag({ type, value }: Tag): string {
  return `${type}: ${value}`;
}

/** Returns the names of the types to choose from. The default type is included even if the list could not be read. */
export function getTagTypeNames(types: readonly TagType[]): string[] {
  const names = types.map(({ name }) => name);
  return names.includes(DEFAULT_TAG_TYPE) ? names : [DEFAULT_TAG_TYPE, ...names];
}

/** Returns the values of existing tags of this type that the toggle does not have. */
export function suggestTagValues(known: readonly Tag[], present: readonly Tag[], type: string): string[] {
  return known
    .filter((tag) => tag.type === type && !present.some((one) => isSameTag(one, tag)))
    .map(({ value }) => value);
}

/** Throws if no URL can name the tag: its request would reach another endpoint. */
export function assertTagAddressable({ type, value }: Tag): void {
  if ([type, value].some(isOnlyDots)) {
    throw new SaveCancelledError('This tag cannot be removed here: browsers cannot send "." or ".." as part of a URL.');
  }
}
