/**
 * Returns the absolute URL of an image if its origin is the console's own or allowed by the operator. This matches the
 * page's Content-Security-Policy, which would report a violation for any other origin.
 */
export function imageSource(url: string | undefined, base: string, allowed: readonly string[]): string | undefined {
  if (!url || !URL.canParse(url, base)) return undefined;
  const { protocol, origin, username, href } = new URL(url, base);
  const isHttp = protocol === 'https:' || protocol === 'http:';
  const isAllowed = origin === new URL(base).origin || allowed.includes(origin);
  return isHttp && isAllowed && username === '' ? href : undefined;
}
