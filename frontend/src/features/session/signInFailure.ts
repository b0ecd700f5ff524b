// Messages for a failed sign-in.
interface SignInFailure {
  text: string;
  /** The password must be entered again. */
  clearsPassword: boolean;
}

/** Returns the message for a failed password sign-in. 4.x servers send 401 for wrong credentials. */
export function describeSignInFailure(status: number): SignInFailure {
  switch (status) {
    case 404:
      return { text: 'User not found', clearsPassword: true };
    case 400:
    case 401:
      return { text: 'Wrong password', clearsPassword: true };
    case 429:
      return { text: 'Too many sign-in attempts. Try again in a minute.', clearsPassword: false };
    default:
      return { text: OTHER_FAILURE, clearsPassword: false };
  }
}

export const OTHER_FAILURE = 'Could not sign in at the moment.';
