/** Returns the name that a link prefills, from the hash (`#name=x`) or the query (`?name=x`); empty without one. */
export function nameFromUrl({ search, hash }: { search: string; hash: string }): string {
  return new URLSearchParams(hash.slice(1)).get('name') ?? new URLSearchParams(search).get('name') ?? '';
}
