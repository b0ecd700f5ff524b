/** Returns the share of yes in whole percent; 0 without calls. */
export function yesRate({ yes, no }: { yes: number; no: number }): number {
  const total = yes + no;
  return total === 0 ? 0 : Math.round((yes / total) * 100);
}
