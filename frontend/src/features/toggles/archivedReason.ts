/** Disabled reason of all changes to an archived toggle. */
export const ARCHIVED_REASON = 'An archived toggle cannot be edited. Revive it first.';
