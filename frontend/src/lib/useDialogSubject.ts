import { useCallback, useState } from 'react';

/** Whom a dialog is about. Kept while it closes, so that its words do not change on the way out. */
export function useDialogSubject<T>() {
  const [subject, setSubject] = useState<T>();
  const [open, setOpen] = useState(false);
  const ask = useCallback((about: T) => {
    setSubject(about);
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return { subject, open, ask, close };
}
