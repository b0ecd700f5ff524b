import { useSearchParams } from 'react-router-dom';
import { useReplaceUrl } from './navigation';

export type ChangeParams = (edit: (current: URLSearchParams) => URLSearchParams) => void;

/**
 * Returns the rendered search parameters of the URL and a function that changes them without a new history entry.
 * A change starts from the current URL, because the last render may be older than the last change.
 */
export function useUrlParams(): readonly [URLSearchParams, ChangeParams] {
  const [params] = useSearchParams();
  const replace = useReplaceUrl();
  const change: ChangeParams = (edit) =>
    replace({ search: edit(new URLSearchParams(window.location.search)).toString() });
  return [params, change];
}
