import { type RefObject, useEffect, useRef } from 'react';

/** Returns a ref that is true while the component is on the page, for code that runs after a request. */
export function useIsMounted(): Readonly<RefObject<boolean>> {
  const isMounted = useRef(false);
  // An effect, because only its cleanup runs when the component is removed.
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
