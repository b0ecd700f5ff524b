// Limits silent sign-ins, which reload the page: a session that ends at once must not reload it for ever.

/** Time of the last attempt of this tab, in ms. It also survives the reload. */
const KEY = 'silent-sign-in';
const MIN_INTERVAL = 60_000;

/** Returns whether the page may sign in silently now, and records the attempt. */
export function takeSilentAttempt(): boolean {
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < MIN_INTERVAL) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
    return true;
  } catch {
    // Without storage, attempts could not be limited.
    return false;
  }
}
