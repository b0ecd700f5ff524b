import { type Params, useLocation, useParams } from 'react-router-dom';

/** Returns the decoded route parameters of the current URL. */
export function useRouteParams(): Readonly<Params> {
  return decodeRouteParams(useParams(), useLocation().pathname);
}

// Works around the router, which decodes a literal `%2F` in a path segment as a slash.

/** Decodes route parameters from the path, keeping a `%2F` that is part of a name. */
export function decodeRouteParams<Params extends { readonly [name: string]: string | undefined }>(
  params: Params,
  pathname: string,
): Params {
  const parts = pathname.split('/');
  const entries = Object.entries(params).map(([name, value = '']) => {
    const encoded = encodeURIComponent(value);
    const part = parts.find((one) => one.replaceAll('%252F', '%2F') === encoded);
    return [name, part === undefined ? value : decodeURIComponent(part)];
  });
  return Object.fromEntries(entries);
}

/** Returns the name that a link prefills, from the hash (`#name=x`) or the query (`?name=x`); empty without one. */
export function nameFromUrl({ search, hash }: { search: string; hash: string }): string {
  return new URLSearchParams(hash.slice(1)).get('name') ?? new URLSearchParams(search).get('name') ?? '';
}
