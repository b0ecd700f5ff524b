import { formatNumber } from './format';

/** Formats a count with its noun, such as `1 toggle` or `1,000 toggles`. */
export function formatCount(count: number, noun: string, locale: string): string {
  return `${formatNumber(count, locale)} ${noun}${count === 1 ? '' : 's'}`;
}
