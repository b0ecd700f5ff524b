import { matchPath } from 'react-router-dom';

/** Pages of items, with the kind of their entry. */
const ITEM_PAGES = [
  ['/features/:tab/:name', 'toggle'],
  ['/strategies/:tab/:name', 'strategy'],
  ['/applications/:name', 'application'],
] as const;

/** Returns the id of the palette's entry for a page, such as `toggle:shop.basket` or `page:/archive`. */
export function entryIdOf(pathname: string): string {
  for (const [pattern, kind] of ITEM_PAGES) {
    const match = matchPath(pattern, pathname);
    if (match) return `${kind}:${match.params.name}`;
  }
  return `page:${pathname}`;
}
