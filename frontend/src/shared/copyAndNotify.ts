import { pushError, pushInfo } from '@/api/notices';
import { copyText } from '@/lib/copyText';

/** Copies text to the clipboard and shows the result in the snackbar. */
export async function copyAndNotify(text: string): Promise<void> {
  if (await copyText(text)) pushInfo('Copied.');
  else pushError('Could not copy: the browser denied access to the clipboard. Select the text and copy it manually.');
}
