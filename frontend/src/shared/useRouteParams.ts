import { type Params, useLocation, useParams } from 'react-router-dom';
import { decodeRouteParams } from './decodeRouteParams';

/** What the address of the page names. */
export function useRouteParams(): Readonly<Params> {
  return decodeRouteParams(useParams(), useLocation().pathname);
}
