/** Names and ids hold no white space, so none can be typed into them. */
export function removeSpaces(text: string): string {
  return text.replace(/\s/gu, '');
}
