import { useMetrics } from '@/api/reads';
import { getCounts } from '@/domain/toggles/toggleList';
import { formatNumber, roundCount } from '@/lib/format';
import { useLocale } from '@/lib/locale';

/** The calls that get another result if toggles are switched off: `19,400 of 43,200 checks per hour become no.` */
export function LostCalls({ names }: { names: readonly string[] }) {
  const lastHour = useMetrics(true)?.lastHour;
  const locale = useLocale();
  const counts = names.flatMap((name) => getCounts(lastHour, name) ?? []);
  const yes = counts.reduce((sum, one) => sum + one.yes, 0);
  const total = counts.reduce((sum, one) => sum + one.no, yes);
  const format = (count: number) => formatNumber(roundCount(count), locale);
  return yes > 0 && `${format(yes)} of ${format(total)} checks per hour become no.`;
}
