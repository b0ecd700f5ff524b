/** Why nothing of an archived toggle can be changed, and the way out. */
export const archived = 'An archived toggle cannot be edited. Revive it first.';
/** Why nothing can be changed of a toggle that disappeared while it was edited. */
export const gone = 'This toggle is no longer in the list of toggles.';
