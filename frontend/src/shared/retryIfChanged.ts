// Repeats a save that the server refuses because the item changed between its read and its write.
import { ApiError } from '@/api/error';
import { SaveCancelledError } from './SaveCancelledError';

const MAX_ATTEMPTS = 5;

/** Runs `save`, which reads, merges and writes an item. A write that fails with 412 stored nothing: `save` runs again. */
export async function retryIfChanged<Result>(save: () => Promise<Result>, name = 'it'): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await save();
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 412) throw failure;
      if (attempt === MAX_ATTEMPTS) {
        throw new SaveCancelledError(`Not saved: ${name} keeps changing. Try again in a moment.`);
      }
    }
  }
}
