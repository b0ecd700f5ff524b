import { pushError, pushInfo } from '@/api/errorList';
import { copyText } from '@/lib/copyText';

/** The specification's time for a message that asks nothing of anybody. */
const COPIED_MS = 2750;

export async function copyAndTell(text: string): Promise<void> {
  if (await copyText(text)) pushInfo('Copied.', COPIED_MS);
  else pushError('The browser did not let this be copied. Select the text and copy it yourself.');
}
