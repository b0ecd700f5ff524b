import { matchRoutes } from 'react-router-dom';
import { decodeRouteParams } from '@/shared/useRouteParams';

/** Pages of items. The id is the kind of their entry. */
const ITEM_PAGES = [
  { path: '/features/:tab/:name', id: 'toggle' },
  { path: '/strategies/:tab/:name', id: 'strategy' },
  { path: '/applications/:name', id: 'application' },
];

/** Returns the id of the palette's entry for a page, such as `toggle:shop.basket` or `page:/archive`. */
export function entryIdOf(pathname: string): string {
  const [match] = matchRoutes(ITEM_PAGES, pathname) ?? [];
  return match ? `${match.route.id}:${decodeRouteParams(match.params, pathname)['name']}` : `page:${pathname}`;
}
