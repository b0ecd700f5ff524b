import { type Params, useLocation, useParams } from 'react-router-dom';
import { truthfulParams } from './truthfulParams';

/** What the address of the page names. */
export function useAddressParams(): Readonly<Params> {
  return truthfulParams(useParams(), useLocation().pathname);
}
