import type { Tag } from '@/api/generated/types';
import { isDotsAlone } from '@/lib/tags';
import { NotSaved } from './NotSaved';

/** Throws before a call is sent that would remove something else. */
export function checkRemovable({ type, value }: Tag): void {
  if ([type, value].some(isDotsAlone)) {
    throw new NotSaved('No browser can send this: a name of dots alone means another address.');
  }
}
