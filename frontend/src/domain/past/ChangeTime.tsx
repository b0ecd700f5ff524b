import type { Interval } from '@/api/generated/types';
import { formatMoment } from '@/api/pastView';
import { useLocale } from '@/lib/locale';
import { capitalise } from '@/lib/text';
import { describeInterval } from './describeRecording';

/** An interval up to this length is shown as one time. */
const SHORT_MS = 10_000;

/** Time from which SDKs got a change. The tooltip has the interval in which the change was made, unless it is short. */
export function ChangeTime({ interval }: { interval: Interval }) {
  const locale = useLocale();
  const { after, by } = interval;
  const isShort = after !== null && Date.parse(by) - Date.parse(after) <= SHORT_MS;
  const text = capitalise(describeInterval(interval, locale));
  return (
    <time dateTime={by} data-tip={isShort ? undefined : `${text}.`}>
      {formatMoment(by, locale)}
    </time>
  );
}
