import { pushError, pushInfo } from '@/api/notices';
import { copyText } from '@/lib/copyText';

export async function copyAndTell(text: string): Promise<void> {
  if (await copyText(text)) pushInfo('Copied.');
  else pushError('The browser did not let this be copied. Select the text and copy it yourself.');
}
