import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { debounce } from './debounce';

const SEARCH_MS = 500;

/** Applies what is typed after a pause, or at once when the field is committed. */
export function useSearch(applied: string, apply: (text: string) => void) {
  const [typed, setTyped] = useState<string>();
  const newest = useRef({ applied, apply });
  newest.current = { applied, apply };
  const commit = useMemo(
    () =>
      debounce((text: string) => {
        // In a transition, like the router's update: until the URL is rendered, the field keeps what was typed.
        startTransition(() => setTyped((typed) => (typed === text ? undefined : typed)));
        if (text === newest.current.applied) return;
        newest.current.apply(text);
        newest.current.applied = text;
      }, SEARCH_MS),
    [],
  );
  // A search still waiting must not change the address of the page one has gone to.
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
