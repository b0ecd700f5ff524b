import type { Tag } from '@/api/generated/types';
import { isOnlyDots } from '@/lib/tags';
import { SaveCancelledError } from './SaveCancelledError';

/** Throws before a call is sent that would remove something else. */
export function assertTagAddressable({ type, value }: Tag): void {
  if ([type, value].some(isOnlyDots)) {
    throw new SaveCancelledError('No browser can send this: a name of dots alone means another address.');
  }
}
