import { useCallback, useEffect, useRef } from 'react';

interface Waiting {
  focus: () => void;
  /** The element with the focus when it was requested. */
  from: Element | null;
}

/**
 * Returns a function that moves the focus to a field of a strategy: at once, or, while the fields cannot have the focus, as soon
 * as they can. It then does nothing if the focus has moved meanwhile.
 *
 * @param isReady False while the definitions of the strategies are loading, and while fields are inert during a save.
 */
export function useFocusOfFields(isReady: boolean): (focus: () => void) => void {
  const waiting = useRef<Waiting>(undefined);
  useEffect(() => {
    const request = waiting.current;
    if (!isReady || !request) return;
    waiting.current = undefined;
    if (document.activeElement === request.from) request.focus();
  }, [isReady]);
  return useCallback(
    (focus) => {
      if (isReady) focus();
      else waiting.current = { focus, from: document.activeElement };
    },
    [isReady],
  );
}
