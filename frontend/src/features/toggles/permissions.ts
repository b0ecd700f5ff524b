/** Why a control is disabled, in words that can be passed on to whoever grants permissions. */
export function needs(permission: string): string {
  return `You need the permission ${permission} for this.`;
}

/** Why nothing of an archived toggle can be changed, and the way out. */
export const archived = 'An archived toggle cannot be edited. Revive it first.';
