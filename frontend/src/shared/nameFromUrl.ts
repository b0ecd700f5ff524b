/** The name that a link fills in, in the hash (`#name=x`) or as a query (`?name=x`); empty without. */
export function nameFromUrl({ search, hash }: { search: string; hash: string }): string {
  return new URLSearchParams(hash.slice(1)).get('name') ?? new URLSearchParams(search).get('name') ?? '';
}
