/** Disabled reason of all changes to an archived toggle. */
export const ARCHIVED_REASON = 'An archived toggle cannot be edited. Revive it first.';
/** Disabled reason of all changes to a toggle that disappeared while it was edited. */
export const GONE_REASON = 'This toggle is no longer in the list of toggles.';
