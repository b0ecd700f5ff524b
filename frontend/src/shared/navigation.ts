// Opens pages by code. Only links ask about unsaved work by themselves, so nothing else uses the navigator of the router.
import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';
import { confirmLeave } from '@/lib/leaveGuard';

export type OpenPage = (path: string, options?: NavigateOptions) => Promise<void>;

/** Returns a function that opens a page at the command of the user. Asks first if there is unsaved work. */
export function useOpenPage(): OpenPage {
  const navigate = useNavigate();
  return async (path, options) => {
    if (await confirmLeave()) await navigate(path, options);
  };
}

/**
 * Returns a function that changes the search parameters, the fragment or both in the URL of the page, without a new history
 * entry. The other part stays as it is in the current URL: the last render may be older than the last change.
 */
export function useReplaceUrl(): (change: { search?: string; hash?: string }) => void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (change) => {
    // The page is still rendered while the code of the next page loads. A change must not lead back to it.
    if (!isCurrentPage(pathname)) return;
    const { search, hash } = window.location;
    void navigate({ search, hash, ...change }, { replace: true });
  };
}

/** Returns whether the URL has this path. The path of the router is without the base path. */
export function isCurrentPage(pathname: string): boolean {
  return window.location.pathname.endsWith(pathname);
}
