// List of events, newest first: one card with a heading for each day.
import { useId, useMemo, useRef } from 'react';
import type { Event } from '@/api/generated/types';
import { Count } from '@/ui/Count';
import { Day } from '@/ui/DayTime';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { useRowKeys } from '@/ui/useRowKeys';
import { EventRow, type EventRowOptions, useScrollToEvent } from './EventRow';
import { type EventEntry, groupActions } from './eventEntries';

interface Props extends EventRowOptions {
  /** The events to show. */
  events: readonly Event[];
  /** Id of the event in the URL. It is expanded. */
  linkedEvent?: number | undefined;
  /** Level of the headings of the days. */
  headingLevel: 2 | 3;
  /** Older events follow, so that the last day may be incomplete. */
  hasOlder: boolean;
}

export function EventLog({ events, linkedEvent, headingLevel, hasOlder, ...options }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => groupActions(events), [events]);
  const days = useMemo(() => groupByDay(entries), [entries]);
  const position = linkedEvent === undefined ? -1 : entries.findIndex((entry) => isEntryOf(entry, linkedEvent));
  const { rendered, placeholder } = useIncrementalRows(entries, position + 1);
  const linkedRow = entries[position]?.event.id;
  useScrollToEvent(linkedRow);
  useRowKeys(list);
  const daySizes = new Map(days.map(({ key, entries: ofDay }) => [key, ofDay]));
  const incomplete = hasOlder ? days.at(-1)?.key : undefined;
  return (
    <div ref={list}>
      <div className="rounded-card border border-line bg-surface shadow-card [overflow:clip]">
        {groupByDay(rendered).map(({ key, entries: ofDay }) => (
          <EventDay
            key={key}
            entries={ofDay}
            all={key === incomplete ? undefined : daySizes.get(key)}
            linkedRow={linkedRow}
            newestRow={options.isLog ? entries[0]?.event.id : undefined}
            headingLevel={headingLevel}
            {...options}
          />
        ))}
      </div>
      {placeholder}
    </div>
  );
}

function isEntryOf({ event, tagCreation }: EventEntry, id: number): boolean {
  return event.id === id || tagCreation?.id === id;
}

interface DayProps extends EventRowOptions {
  /** The rendered entries. */
  entries: readonly EventEntry[];
  /** All entries of the day; undefined if more may follow. */
  all: readonly EventEntry[] | undefined;
  linkedRow: number | undefined;
  /** The newest row of a log. */
  newestRow: number | undefined;
  headingLevel: 2 | 3;
}

function EventDay({ entries, all, linkedRow, newestRow, headingLevel, ...options }: DayProps) {
  const id = useId();
  const Heading = `h${headingLevel}` as const;
  return (
    <section aria-labelledby={id} className="min-w-0 border-line not-first:border-t">
      <div className="sticky top-below-header z-10 flex h-7 items-center max-sm:h-5.5 justify-between gap-4 border-line border-b bg-bg px-3.5 text-label max-sm:px-3">
        <Heading id={id} className="font-semibold text-muted">
          <Day value={entries[0]?.event.createdAt ?? ''} />
        </Heading>
        {all && <DaySummary entries={all} />}
      </div>
      <ol>
        {entries.map((entry) => (
          <EventRow
            key={entry.event.id}
            entry={entry}
            isLinked={entry.event.id === linkedRow}
            showsUndo={entry.event.id === newestRow}
            {...options}
          />
        ))}
      </ol>
    </section>
  );
}

function DaySummary({ entries }: { entries: readonly EventEntry[] }) {
  const users = new Set(entries.map(({ event }) => event.createdBy)).size;
  return (
    <span className="text-faint tabular-nums">
      <Count value={entries.length} noun="change" />
      {users > 1 && (
        <>
          , <Count value={users} noun="user" />
        </>
      )}
    </span>
  );
}

interface DayOfEntries {
  /** Stays the same when newer or older events are added. */
  key: string;
  entries: EventEntry[];
}

/** Groups consecutive entries of the same day in the time zone of the browser. */
export function groupByDay(entries: readonly EventEntry[]): DayOfEntries[] {
  const days: (DayOfEntries & { date: string })[] = [];
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const date = new Date(entry.event.createdAt).toDateString();
    const last = days.at(-1);
    if (last?.date === date) {
      last.entries.push(entry);
      continue;
    }
    // Times may be out of order, so a date can appear again.
    const count = counts.get(date) ?? 0;
    counts.set(date, count + 1);
    days.push({ date, key: `${date} ${count}`, entries: [entry] });
  }
  return days;
}
