/** Why a control is disabled, in words that can be passed on to whoever grants permissions. */
export function needs(permission: string): string {
  return `You need the permission ${permission} for this.`;
}
