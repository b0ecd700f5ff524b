import type { Event } from '@/api/generated/types';

interface EventDay {
  /** Stays the same when newer or older events are added. */
  key: string;
  events: Event[];
}

/** Groups consecutive events of the same day in the time zone of the browser. */
export function groupByDay(events: readonly Event[]): EventDay[] {
  const days: (EventDay & { date: string })[] = [];
  for (const event of events) {
    const date = new Date(event.createdAt).toDateString();
    const last = days.at(-1);
    if (last?.date === date) last.events.push(event);
    // Times may be out of order, so a date can appear again.
    else days.push({ date, key: `${date} ${days.filter((day) => day.date === date).length}`, events: [event] });
  }
  return days;
}
