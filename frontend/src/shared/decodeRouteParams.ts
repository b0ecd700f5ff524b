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
