/** The share of yes in whole percent; 0 where there was no call. */
export function yesRate({ yes, no }: { yes: number; no: number }): number {
  const total = yes + no;
  return total === 0 ? 0 : Math.round((yes / total) * 100);
}
