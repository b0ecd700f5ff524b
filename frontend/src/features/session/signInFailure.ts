interface SignInFailure {
  text: string;
  /** The password was part of what is wrong: typing it again is part of the next try. */
  clearsPassword: boolean;
}

/** Why signing in by password failed. Servers of the 4.x line answer 401 for wrong credentials. */
export function describeSignInFailure(status: number): SignInFailure {
  switch (status) {
    case 404:
      return { text: 'User not found', clearsPassword: true };
    case 400:
    case 401:
      return { text: 'Wrong password', clearsPassword: true };
    default:
      return { text: OTHER_FAILURE, clearsPassword: false };
  }
}

export const OTHER_FAILURE = 'Could not sign in at the moment.';
