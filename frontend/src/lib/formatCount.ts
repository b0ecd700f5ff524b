import { formatNumber } from './format';

/** Such as `1 toggle` and `1,000 toggles`. */
export function formatCount(count: number, noun: string, locale: string): string {
  return `${formatNumber(count, locale)} ${noun}${count === 1 ? '' : 's'}`;
}
