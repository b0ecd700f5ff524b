// The state of a dialog's request. The hook is mounted once for each opening of the dialog.
import { useState } from 'react';

/** The reason why a busy dialog cannot be closed. */
export const BUSY = 'Wait for the request to finish.';

interface DialogRequest {
  /** For `Dialog`: while true it cannot be closed. */
  busy: boolean;
  /** Why the last request failed. */
  failure: Error | undefined;
  /** Waits for the request. Does nothing while one is under way. */
  run: (request: () => Promise<unknown>) => Promise<void>;
}

export function useDialogRequest(): DialogRequest {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const run: DialogRequest['run'] = async (request) => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await request();
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run };
}
