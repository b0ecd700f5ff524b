/** Placeholder origin for parsing relative URLs. */
const RELATIVE = 'https://relative.invalid';

/** The URL that relative URLs of the console resolve against. The binary writes it into `<base href>`. */
export const baseUrl = typeof document === 'undefined' ? `${RELATIVE}/` : document.baseURI;

/** The console's mount path, such as `/` or `/flags/`. */
export const basePath = new URL(baseUrl).pathname;

const SAFE_SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** Returns a URL from data if it is safe to use as a link; `javascript:` and other schemes are rejected. */
export function safeHref(url: string | null | undefined): string | undefined {
  const trimmed = url?.trim();
  if (!trimmed) return undefined;
  try {
    return SAFE_SCHEMES.has(new URL(trimmed, RELATIVE).protocol) ? trimmed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the target of a sign-in form, relative to the console's base. Credentials are never sent to another origin.
 * `mountPath` is the path of the flag service, such as `/unleash`: it is removed, because the binary adds it.
 */
export function signInPath(path: string | undefined, mountPath: string): string | undefined {
  if (!path) return undefined;
  try {
    const { pathname, search } = new URL(path, RELATIVE);
    const below = pathname.startsWith(`${mountPath}/`) ? pathname.slice(mountPath.length) : pathname;
    // Two leading slashes would name another host.
    return below.replace(/^\/+/, '') + search;
  } catch {
    return undefined;
  }
}

/** Returns the link to a sign-in page: an absolute URL unchanged, a relative one through the console's base. */
export function signInHref(path: string | undefined, base: string, mountPath: string): string | undefined {
  const href = safeHref(path);
  if (href === undefined || new URL(href, RELATIVE).origin !== RELATIVE) return href;
  return `${base}${signInPath(href, mountPath) ?? ''}`;
}

/**
 * Returns the path for a URL of the old console (`/#/features/strategies/x`), or undefined for any other hash.
 * A second slash is rejected, because it would name another host.
 */
export function pathFromHash(hash: string): string | undefined {
  return /^#\/(?![/\\])/.test(hash) ? hash.slice(1) : undefined;
}
