/** Why nothing of an archived toggle can be changed, and the way out. */
export const archived = 'An archived toggle cannot be edited. Revive it first.';
