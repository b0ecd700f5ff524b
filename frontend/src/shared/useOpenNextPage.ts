import { useLocation } from 'react-router-dom';
import { isCurrentPage, type OpenPage, useOpenPage } from './navigation';

/**
 * Returns a function that opens a page after a request that started on the rendered page. Does nothing if the user is on
 * another page by then. Asks first if there is unsaved work.
 */
export function useOpenNextPage(): OpenPage {
  const { pathname } = useLocation();
  const open = useOpenPage();
  return async (path, options) => {
    if (isCurrentPage(pathname)) await open(path, options);
  };
}
