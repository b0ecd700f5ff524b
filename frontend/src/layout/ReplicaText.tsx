import { replica } from '@/api/endpoints';
import { useRead } from '@/api/useRead';
import { cacheByLocale, formatDuration } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { ReplicaPopover } from './ReplicaPopover';

const clock = cacheByLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));

interface ReplicaTextProps {
  /** Shows the age of the toggles as a time of day, and only if the flag service does not respond. */
  isOutage?: boolean;
}

/** State of the toggles that SDKs get from Flagdeck's memory. In the footer, a button that opens the details. */
export function ReplicaText({ isOutage = false }: ReplicaTextProps) {
  const { data } = useRead(replica, { polls: true });
  const locale = useLocale();
  if (!data) return null;
  const { confirmedAt, failingSince, age } = data;
  if (!isOutage) return <ReplicaPopover state={data} />;
  if (!confirmedAt || !failingSince) return null;
  const time = clock(locale).format(new Date(confirmedAt));
  return <p>{`SDKs still get the toggles of ${time} (${formatDuration(age * 1000)} old).`}</p>;
}
