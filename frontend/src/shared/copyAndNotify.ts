import { pushError, pushInfo } from '@/api/errorList';
import { copyText } from '@/lib/copyText';

export async function copyAndNotify(text: string): Promise<void> {
  if (await copyText(text)) pushInfo('Copied.');
  else pushError('The browser did not let this be copied. Select the text and copy it yourself.');
}
