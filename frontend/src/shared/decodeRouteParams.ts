// The router writes the slash in a name as `%2F` while it looks for a route, and takes every `%2F` for one afterwards.

/** The parameters of an address, with the `%2F` that is part of a name left in it. */
export function decodeRouteParams<Params extends { readonly [name: string]: string | undefined }>(
  params: Params,
  pathname: string,
): Params {
  const parts = pathname.split('/');
  const entries = Object.entries(params).map(([name, value = '']) => {
    const written = encodeURIComponent(value);
    const part = parts.find((one) => one.replaceAll('%252F', '%2F') === written);
    return [name, part === undefined ? value : decodeURIComponent(part)];
  });
  return Object.fromEntries(entries);
}
