import { type Params, useLocation, useParams } from 'react-router-dom';
import { decodeRouteParams } from './decodeRouteParams';

/** Returns the decoded route parameters of the current URL. */
export function useRouteParams(): Readonly<Params> {
  return decodeRouteParams(useParams(), useLocation().pathname);
}
