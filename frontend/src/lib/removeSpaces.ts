/** Removes white space, which names and ids cannot contain. */
export function removeSpaces(text: string): string {
  return text.replace(/\s/gu, '');
}
