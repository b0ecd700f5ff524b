/**
 * Returns the absolute URL of a picture if the page may load it: from its own origin or from one that the operator
 * allows. The content policy of the page says the same; a refused request would be reported as a fault.
 */
export function imageSource(url: string | undefined, base: string, allowed: readonly string[]): string | undefined {
  if (!url || !URL.canParse(url, base)) return undefined;
  const { protocol, origin, username, href } = new URL(url, base);
  const isHttp = protocol === 'https:' || protocol === 'http:';
  const isAllowed = origin === new URL(base).origin || allowed.includes(origin);
  return isHttp && isAllowed && username === '' ? href : undefined;
}
