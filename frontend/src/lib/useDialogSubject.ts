import { useCallback, useState } from 'react';

/** The item that a dialog refers to. Kept until the closing animation ends, so that the text does not change. */
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
