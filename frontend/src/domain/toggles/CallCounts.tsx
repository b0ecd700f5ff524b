import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';

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
