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

interface CallCountsProps {
  counts: { yes: number; no: number } | undefined;
  /** Text without counts. */
  none?: string;
}

/** Calls of a toggle, such as `14,562 yes · 3 no`. */
export function CallCounts({ counts, none = 'No metrics available' }: CallCountsProps) {
  const locale = useLocale();
  return counts ? `${formatNumber(counts.yes, locale)} yes · ${formatNumber(counts.no, locale)} no` : none;
}
