import { replica } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { cacheByLocale } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { Count } from '@/ui/Count';

const clock = cacheByLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }));

interface ReplicaTextProps {
  /** Shows the age of the toggles as a time of day, and only if the flag service does not respond. */
  isOutage?: boolean;
}

/** Number of SDK instances that get toggles from Flagdeck's memory, and the age of the toggles. */
export function ReplicaText({ isOutage = false }: ReplicaTextProps) {
  const { data } = useRead(replica, { polls: true });
  const locale = useLocale();
  if (!data?.confirmedAt) return null;
  const { instances, confirmedAt, age, failingSince } = data;
  const time = (value: string) => clock(locale).format(new Date(value));
  if (isOutage) {
    return failingSince && <p>{`SDKs get the state of ${time(confirmedAt)} since ${time(failingSince)}.`}</p>;
  }
  return (
    <p className={failingSince ? 'text-warn' : undefined}>
      SDKs: <Count value={instances} noun="instance" />, from memory, <Count value={age} /> s old
    </p>
  );
}
