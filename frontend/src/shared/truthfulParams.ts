// The router writes the slash in a name as `%2F` while it looks for a route, and takes every `%2F` for one afterwards.

/** The parameters of an address, with the `%2F` that is part of a name left in it. */
export function truthfulParams<Params extends { readonly [name: string]: string | undefined }>(
  params: Params,
  pathname: string,
): Params {
  const parts = pathname.split('/').flatMap(decoded);
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    parts.find((part) => part.replaceAll('%2F', '/') === value) ?? value,
  ]);
  return Object.fromEntries(entries);
}

/** Nothing for a part that was typed by hand and means nothing; the router keeps it as it stands. */
function decoded(part: string): string[] {
  try {
    return [decodeURIComponent(part)];
  } catch {
    return [];
  }
}
