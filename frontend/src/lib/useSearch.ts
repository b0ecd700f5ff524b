import { startTransition, useEffect, useEffectEvent, useState } from 'react';

const SEARCH_MS = 500;

/** State of a search field: applies the text after a pause, or at once on commit. */
export function useSearch(applied: string, apply: (text: string) => void) {
  const [typed, setTyped] = useState<string>();
  const commit = (text: string) => {
    // In a transition, like the router's update: the field keeps the typed text until the URL is rendered.
    startTransition(() => setTyped((current) => (current === text ? undefined : current)));
    if (text !== applied) apply(text);
  };
  const onPause = useEffectEvent(commit);
  // A pause is only observable with a timer. Leaving the page stops it, so that it does not change the next page's URL.
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => onPause(typed), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return {
    value: typed ?? applied,
    onChange: (text: string) => setTyped(text),
    onCommit: (text: string) => {
      setTyped(text);
      commit(text);
    },
  };
}
