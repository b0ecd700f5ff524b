import type { Tag } from '@/api/generated/types';
import { SaveCancelledError } from '@/shared/SaveCancelledError';
import { isOnlyDots } from './tags';

/** Throws if no URL can name the tag: its request would reach another endpoint. */
export function assertTagAddressable({ type, value }: Tag): void {
  if ([type, value].some(isOnlyDots)) {
    throw new SaveCancelledError('This tag cannot be removed here: browsers cannot send "." or ".." as part of a URL.');
  }
}
