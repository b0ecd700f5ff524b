import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { authState } from '@/api/authState';
import { post, read, write } from '@/api/client';
import { user } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import { clearUserData, refreshAllData } from '@/api/hooks';
import { pushError } from '@/api/notices';
import { useProfile } from '@/api/permissions';
import { signInPath } from '@/lib/address';
import { toProfile } from '@/lib/profile';
import { paths } from '@/paths';

interface SignIn {
  busy: boolean;
  /** Answers the status of the failure (0 where there is none), or undefined on success. */
  submit: (credentials: object) => Promise<number | undefined>;
}

export function useSignIn(path: string | undefined): SignIn {
  const [busy, setBusy] = useState(false);
  const finishSignIn = useFinishSignIn();
  const submit = async (credentials: object) => {
    setBusy(true);
    try {
      // A refusal here is about what was typed, not a reason to ask again.
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
 * Reads everything as the new user. The page in the URL stays open: it is where the session ended, or the deep link that
 * asked for the sign-in. Only a user who takes over from another one starts on the first page, with no data of theirs.
 */
function useFinishSignIn(): () => Promise<void> {
  const before = useProfile();
  const navigate = useNavigate();
  return async () => {
    const now = toProfile(await read(user, { skipSignInPrompt: true }));
    authState.set(null);
    if (before?.name === now.name) {
      await refreshAllData();
      return;
    }
    clearUserData({ rereads: true });
    if (before) await navigate(paths.home());
  };
}
