import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { authState } from '@/api/authState';
import { post, read, write } from '@/api/client';
import { user } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import { clearUserData, refreshAllData } from '@/api/hooks';
import { pushError } from '@/api/notices';
import { useProfile } from '@/api/permissions';
import { toProfile } from '@/api/profile';
import { signInPath } from '@/lib/urls';
import { paths } from '@/paths';

interface SignIn {
  busy: boolean;
  /** Resolves with the status of the failure (0 for a network error), or undefined on success. */
  submit: (credentials: object) => Promise<number | undefined>;
}

export function useSignIn(path: string | undefined): SignIn {
  const [busy, setBusy] = useState(false);
  const finishSignIn = useFinishSignIn();
  const submit = async (credentials: object) => {
    setBusy(true);
    try {
      // A 401 means wrong credentials; the dialog is already open.
      await write(post<object>(signInPath(path) ?? ''), credentials, { skipSignInPrompt: true });
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
  const before = useProfile();
  const navigate = useNavigate();
  return async () => {
    const current = toProfile(await read(user, { skipSignInPrompt: true }));
    authState.set(null);
    if (before?.name === current.name) {
      await refreshAllData();
      return;
    }
    clearUserData({ rereads: true });
    if (before) await navigate(paths.home());
  };
}
