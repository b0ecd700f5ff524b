import { featureEvents } from '@/api/endpoints';
import type { Event, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import type { ChangeOptions } from '@/domain/changes/describeChanges';
import { AuthorAvatar } from '@/domain/events/AuthorAvatar';
import { describeHeadline } from '@/domain/events/eventHeadline';
import { getEventStrategies } from '@/domain/events/toggleVersions';
import { isMeasured, useLastHour } from '@/domain/impact/useRecentChange';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { useLocale } from '@/lib/locale';
import { Card } from '@/ui/Card';
import { Time } from '@/ui/Time';
import { VisuallyHidden } from '@/ui/VisuallyHidden';

const MAX_CHANGES = 3;

/** Card with the newest changes. It shows the log that the impact reads, and nothing if the impact reads none. */
export function RecentChanges({ toggle }: { toggle: Toggle }) {
  const isUsed = isMeasured(toggle, useLastHour(toggle.name));
  const { data } = useRead(isUsed ? featureEvents(toggle.name) : null);
  const locale = useLocale();
  const events = data?.events ?? [];
  const shown = events.slice(0, MAX_CHANGES);
  const segmentName = useSegmentName(shown.flatMap((event) => getEventStrategies(event, events)));
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="recent-changes">
      <Card>
        <h2 id="recent-changes" className="mb-3 font-semibold text-secondary">
          Recent changes
        </h2>
        <ul className="grid gap-2.5 text-secondary">
          {shown.map((event) => (
            <li key={event.id} className="grid grid-cols-[20px_minmax(0,1fr)_auto] items-start gap-x-2">
              <AuthorAvatar name={event.createdBy} />
              <span className="wrap-anywhere line-clamp-2">
                <VisuallyHidden>{event.createdBy || 'Unknown user'}: </VisuallyHidden>
                {summarise(event, events, { locale, segmentName })}
              </span>
              <span className="text-muted">
                <Time value={event.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

/** Describes an event without its author and its toggle, such as `flexibleRollout 25 → 50 %`. */
function summarise(event: Event, events: readonly Event[], options: ChangeOptions): string {
  const { verb, rest, state, changes, place } = describeHeadline(event, events, options);
  const words = changes.map(({ label, values }) => (values ? `${label} ${values.join(' → ')}` : label));
  // Such as `changed the description of`, which the toggle would follow.
  const alone = verb.replace(/ (of|from)$/u, '');
  const text = state === undefined && words.length > 0 ? words.join(', ') : `${alone} ${state ?? rest}`.trim();
  return place === '' ? text : `${text} ${place}`;
}
