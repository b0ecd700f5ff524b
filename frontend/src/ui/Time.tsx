import { useSyncExternalStore } from 'react';
import { clockNow, subscribeClock } from '@/lib/clock';
import { formatExact, formatRelative } from '@/lib/format';
import { useLocale } from '@/lib/locale';

interface TimeProps {
  /** RFC 3339; null for not yet. */
  value: string | null;
  never?: string;
}

/** How long ago, with the exact time for a resting pointer. */
export function Time({ value, never = 'never' }: TimeProps) {
  const locale = useLocale();
  const at = value === null ? Number.NaN : Date.parse(value);
  // The text is the snapshot: a tick draws only those times that read differently now.
  const text = useSyncExternalStore(subscribeClock, () => (Number.isNaN(at) ? never : formatRelative(at, clockNow())));
  if (value === null || Number.isNaN(at)) return <span>{text}</span>;
  return (
    <time dateTime={value} title={formatExact(at, locale)}>
      {text}
    </time>
  );
}
