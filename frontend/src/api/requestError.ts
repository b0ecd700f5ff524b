import { authState, isUserKnown } from './authState';
import type { ApiError } from './error';
import { pushError } from './notices';
import { currentOutage } from './outage';

interface Options {
  /** What failed, shown before the error. */
  failureText?: string | undefined;
  /** The page shows the failure: the snackbar does not. */
  shownInPlace: boolean;
  /** Text of the cause, if failures of several requests have the same one. */
  cause?: string | undefined;
}

/**
 * Lists a failed request, and shows it unless the page, the sign-in dialog or the outage banner does. A 401 before a sign-in is no
 * failure.
 */
export function pushRequestError(
  { status, noticeText }: ApiError,
  { failureText, shownInPlace, cause }: Options,
): void {
  if (status === 401 && !isUserKnown.get()) return;
  pushError(failureText ? `${failureText}: ${noticeText}` : noticeText, {
    shownInPlace: shownInPlace || authState.get() !== null || currentOutage() !== undefined,
    cause,
  });
}
