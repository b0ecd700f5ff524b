// Limits silent sign-ins, which reload the page: a session that ends at once must not reload it for ever.

/** Time of the last attempt of this tab, in ms. It also survives the reload. */
const KEY = 'silent-sign-in';
const MIN_INTERVAL = 60_000;

/** Returns whether the page may sign in silently now. Has no effect, because React may render a component again. */
export function canSignInSilently(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) >= MIN_INTERVAL;
  } catch {
    // Without storage, attempts could not be limited.
    return false;
  }
}

/** Records an attempt, which is about to reload the page. */
export function recordSilentAttempt(): void {
  sessionStorage.setItem(KEY, String(Date.now()));
}
