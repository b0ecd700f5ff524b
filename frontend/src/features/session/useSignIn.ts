import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { post, read, write } from '@/api/client';
import { user } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import { useRead } from '@/api/hooks';
import { pushError } from '@/api/notices';
import { useSettings } from '@/api/settings';
import { signInPath } from '@/lib/urls';
import { paths } from '@/paths';
import { adoptUser, announceSessionChange } from './sessionChange';

interface SignIn {
  busy: boolean;
  /** Resolves with the status of the failure (0 for a network error), or undefined on success. */
  submit: (credentials: object) => Promise<number | undefined>;
}

export function useSignIn(path: string | undefined): SignIn {
  const [busy, setBusy] = useState(false);
  const mountPath = useSettings()?.mountPath ?? '';
  const finishSignIn = useFinishSignIn();
  const submit = async (credentials: object) => {
    setBusy(true);
    try {
      // A 401 means wrong credentials; the dialog is already open.
      await write(post<object>(signInPath(path, mountPath) ?? ''), credentials, { skipSignInPrompt: true });
      await finishSignIn();
      return undefined;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      pushError(failure.noticeText, { shownInPlace: true });
      return failure.status;
    } finally {
      setBusy(false);
    }
  };
  return { busy, submit };
}

/**
 * Returns a function that reloads all data after a sign-in. The page stays open. If another user was signed in before,
 * that user's data is cleared and the first page opens.
 */
function useFinishSignIn(): () => Promise<void> {
  const { data: before } = useRead(user);
  const navigate = useNavigate();
  return async () => {
    const hasChanged = await adoptUser(before, await read(user, { skipSignInPrompt: true }));
    announceSessionChange();
    if (before && hasChanged) await navigate(paths.home());
  };
}
