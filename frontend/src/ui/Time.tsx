import { useSyncExternalStore } from 'react';
import { clockNow, subscribeClock } from '@/lib/clock';
import { formatExact, formatRelative } from '@/lib/format';
import { useLocale } from '@/lib/locale';

interface TimeProps {
  /** RFC 3339; null if it has not happened. */
  value: string | null;
  never?: string;
}

/** Relative time, with the exact time as a tooltip. */
export function Time({ value, never = 'never' }: TimeProps) {
  const locale = useLocale();
  const at = value === null ? Number.NaN : Date.parse(value);
  // The snapshot is the text, so that a clock tick renders only times whose text changes.
  const text = useSyncExternalStore(subscribeClock, () => (Number.isNaN(at) ? never : formatRelative(at, clockNow())));
  if (value === null || Number.isNaN(at)) return <span>{text}</span>;
  return (
    <time dateTime={value} data-tip={formatExact(at, locale)}>
      {text}
    </time>
  );
}
