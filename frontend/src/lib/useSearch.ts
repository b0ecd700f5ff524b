import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { debounce } from './debounce';

const SEARCH_MS = 500;

/** State of a search field: applies the text after a pause, or at once on commit. */
export function useSearch(applied: string, apply: (text: string) => void) {
  const [typed, setTyped] = useState<string>();
  const latest = useRef({ applied, apply });
  latest.current = { applied, apply };
  const commit = useMemo(
    () =>
      debounce((text: string) => {
        // In a transition, like the router's update: the field keeps the typed text until the URL is rendered.
        startTransition(() => setTyped((typed) => (typed === text ? undefined : typed)));
        if (text === latest.current.applied) return;
        latest.current.apply(text);
        latest.current.applied = text;
      }, SEARCH_MS),
    [],
  );
  // A pending search must not change the URL of the next page.
  useEffect(() => commit.cancel, [commit]);
  return {
    value: typed ?? applied,
    onChange(text: string) {
      setTyped(text);
      commit(text);
    },
    onCommit(text: string) {
      commit(text);
      commit.flush();
    },
  };
}
