import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';

export type ChangeParams = (edit: (current: URLSearchParams) => URLSearchParams) => void;

/**
 * Returns the rendered search parameters of the URL and a function that changes them without a new history entry.
 * A change starts from the current URL, because the last render may be older than the last change.
 */
export function useUrlParams(): readonly [URLSearchParams, ChangeParams] {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const change: ChangeParams = (edit) => {
    // The page is still rendered while the code of the next page loads. A change must not lead back to it.
    if (!window.location.pathname.endsWith(pathname)) return;
    const next = edit(new URLSearchParams(window.location.search));
    void navigate({ search: next.toString(), hash: window.location.hash }, { replace: true });
  };
  return [params, change];
}
