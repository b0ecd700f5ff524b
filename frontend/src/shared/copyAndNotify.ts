import { pushError, pushInfo } from '@/api/notices';

/** Copies text to the clipboard and shows the result in the snackbar. Resolves with whether it succeeded. */
export async function copyAndNotify(text: string): Promise<boolean> {
  const isCopied = await copyText(text);
  if (isCopied) pushInfo('Copied.');
  else pushError('Could not copy: the browser denied access to the clipboard. Select the text and copy it manually.');
  return isCopied;
}

/** Copies text to the clipboard and returns whether it succeeded. Pages without TLS fall back to `execCommand`. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  // The event gets the text, because the layout of a field with thousands of lines would block the page.
  field.value = ' ';
  field.addEventListener('copy', (event) => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
  });
  // Inside an open dialog, because focus cannot leave it.
  (focused?.closest('[role=dialog]') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
