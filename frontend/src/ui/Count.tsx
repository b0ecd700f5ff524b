// Numbers in the format of the selected locale.
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';

interface CountProps {
  value: number;
  /** In the singular. */
  noun?: string;
}

/** A number, or a number of things, such as `1 toggle` or `1,000 toggles`. */
export function Count({ value, noun }: CountProps) {
  const number = formatNumber(value, useLocale());
  return noun === undefined ? number : `${number} ${noun}${value === 1 ? '' : 's'}`;
}

/** Part of a whole, such as `2 of 1,000`. */
export function CountOf({ value, total }: { value: number; total: number }) {
  const locale = useLocale();
  return `${formatNumber(value, locale)} of ${formatNumber(total, locale)}`;
}
