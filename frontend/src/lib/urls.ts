/** Where the console is mounted, such as `/` or `/flags/`: the binary writes it into <base href>. */
export function basePath(): string {
  return new URL(document.baseURI).pathname;
}

/** Stands in for our own origin while an address is taken apart. */
const RELATIVE = 'https://relative.invalid';

const SAFE_SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** An address from data, if it is one that a link may have; `javascript:` and the like are not. */
export function safeHref(address: string | null | undefined): string | undefined {
  const trimmed = address?.trim();
  if (!trimmed) return undefined;
  try {
    return SAFE_SCHEMES.has(new URL(trimmed, RELATIVE).protocol) ? trimmed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where a sign-in form is posted to, relative to our own base: credentials never go to another origin,
 * and the path on which the flag service itself is mounted is the binary's concern.
 */
export function signInPath(path: string | undefined): string | undefined {
  if (!path) return undefined;
  try {
    const { pathname, search } = new URL(path, RELATIVE);
    const start = pathname.search(/\/(api\/admin|auth)\//);
    // Two slashes at the beginning would name another host.
    return (start < 0 ? pathname : pathname.slice(start)).replace(/^\/+/, '') + search;
  } catch {
    return undefined;
  }
}

/** Where a link to a sign-in leads: another site as it stands, else the flag service through our own base. */
export function signInHref(path: string | undefined, base: string): string | undefined {
  const href = safeHref(path);
  if (href === undefined || new URL(href, RELATIVE).origin !== RELATIVE) return href;
  return `${base}${signInPath(href) ?? ''}`;
}

/**
 * The path here of a URL of the old console, `/#/features/strategies/x`; else undefined. A second slash would name
 * another host.
 */
export function pathFromHash(hash: string): string | undefined {
  return /^#\/(?![/\\])/.test(hash) ? hash.slice(1) : undefined;
}
