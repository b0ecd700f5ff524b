// Filtered list of events for both history pages.
import { useMemo } from 'react';
import type { Endpoint } from '@/api/client';
import {
  addons,
  apiTokens,
  applications,
  archivedFeatures,
  context,
  strategies,
  tags,
  tagTypes,
} from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useProjects } from '@/api/reads';
import { useSettings } from '@/api/settings';
import { useToggleList } from '@/api/toggles';
import { EventLog } from '@/domain/events/EventLog';
import { EventNotListed } from '@/domain/events/EventNotListed';
import type { EventRowOptions } from '@/domain/events/EventRow';
import { eventsToMarkdown } from '@/domain/events/eventMarkdown';
import { type EventSubjectKind, getEventSubject, getToggleAction } from '@/domain/events/eventType';
import { useShowFullEvents } from '@/domain/events/useShowFullEvents';
import { cx } from '@/lib/cx';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { CopyMenu, toAbsoluteUrl } from '@/shared/CopyMenu';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { HistoryIcon, NotFoundIcon } from '@/ui/icons';
import { Skeleton } from '@/ui/Skeleton';
import { EventFilterBar } from './EventFilterBar';
import { useEventFilter } from './eventFilter';

interface Props extends Pick<EventRowOptions, 'eventHref' | 'isLog' | 'Actions'> {
  /** Undefined while loading. */
  events: readonly Event[] | undefined;
  error: Error | undefined;
  onRetry: () => void;
  /** The endpoint of the events. */
  call: Endpoint<unknown>;
  emptyText: string;
}

export function EventList({ events, error, onRetry, call, emptyText, ...source }: Props) {
  const { filter, matching, linkedEvent, narrow, clear } = useEventFilter(events);
  const [showData, setShowData] = useShowFullEvents();
  const subjectHref = useSubjectHref(events);
  if (error && !events) return <ErrorPanel title="The history could not be loaded" error={error} onRetry={onRetry} />;
  if (events?.length === 0) {
    return (
      <Card>
        <EmptyState icon={<HistoryIcon size={20} />} title="No events">
          {emptyText}
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="grid gap-4 max-sm:gap-1.5">
      <EventFilterBar
        events={events ?? []}
        filter={filter}
        onChange={narrow}
        onClear={clear}
        shown={matching?.length}
        showData={showData}
        onShowData={setShowData}
      >
        {matching && matching.length > 0 && <CopyEvents events={matching} eventHref={source.eventHref} call={call} />}
      </EventFilterBar>
      <EventNotListed id={linkedEvent} events={events} hint="The history of its toggle may still contain it." />
      {!matching && <EventsSkeleton />}
      {matching?.length === 0 && <NoMatchingEvents total={events?.length ?? 0} onClear={clear} />}
      {events && matching && matching.length > 0 && (
        <EventLog
          events={matching}
          allEvents={events}
          linkedEvent={linkedEvent}
          headingLevel={2}
          showData={showData}
          subjectHref={subjectHref}
          {...source}
        />
      )}
    </div>
  );
}

function NoMatchingEvents({ total, onClear }: { total: number; onClear: () => void }) {
  const locale = useLocale();
  return (
    <Card>
      <EmptyState
        icon={<NotFoundIcon size={20} />}
        title="No event matches these filters"
        actions={<Button onClick={onClear}>Clear filters</Button>}
      >
        {total === 1 ? '1 event is hidden.' : `${formatNumber(total, locale)} events are hidden.`}
      </EmptyState>
    </Card>
  );
}

interface CopyEventsProps {
  events: readonly Event[];
  eventHref: (event: Event) => string;
  call: Endpoint<unknown>;
}

function CopyEvents({ events, eventHref, call }: CopyEventsProps) {
  return (
    <CopyMenu
      subject="the events"
      json={() => events}
      calls={[{ label: 'curl', call }]}
      markdown={() => eventsToMarkdown(events, (event) => toAbsoluteUrl(eventHref(event)))}
    />
  );
}

const ROWS = [240, 180, 300, 220, 260];

/** Placeholder rows with the height of real rows, so that the layout does not shift. */
function EventsSkeleton() {
  return (
    <div role="status" aria-label="Loading the history">
      <div className="mb-2 flex h-4.5 items-center max-sm:mb-1">
        <Skeleton width={64} height={12} />
      </div>
      <div className="rounded-card border border-line bg-surface shadow-card">
        {ROWS.map((width, index) => (
          <div key={width} className={cx('grid h-17.5 content-center gap-3 px-4', index > 0 && 'border-line border-t')}>
            <Skeleton width={width} height={12} />
            <Skeleton width={120} height={12} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Links from events to their items. An item may have been deleted or archived since. */
function useSubjectHref(events: readonly Event[] = NO_EVENTS): (event: Event) => string | undefined {
  const kinds = useMemo(() => new Set(events.map((event) => getEventSubject(event)?.kind)), [events]);
  const has = (kind: EventSubjectKind) => kinds.has(kind);
  const live = useNames(useToggleList(has('toggle')).data?.features);
  const archived = useNames(useRead(has('toggle') ? archivedFeatures : null).data?.features);
  const definitions = useNames(useRead(has('strategy') ? strategies : null, OPTIONAL).data?.strategies);
  const fields = useNames(useRead(has('context field') ? context : null, OPTIONAL).data);
  const types = useNames(useRead(has('tag type') ? tagTypes : null).data?.tagTypes);
  const apps = useRead(has('application') ? applications : null).data?.applications ?? [];
  const configured = useRead(has('addon') ? addons : null).data?.addons ?? [];
  const stored = useRead(has('tag') ? tags : null).data?.tags ?? [];
  const projects = useProjects();
  const isEmbedded = useSettings()?.mode === 'embedded';
  const tokens = useNames(useRead(has('API token') && isEmbedded ? apiTokens : null, OPTIONAL).data?.tokens);
  const find: { [kind in EventSubjectKind]: (name: string, event: Event) => string | false | undefined } = {
    toggle: (name, event) => {
      // The log does not contain tag events.
      if (getToggleAction(event)?.endsWith('tagged')) return live.has(name) && paths.toggle(name);
      return (live.has(name) || archived.has(name)) && paths.loggedEvent(name, event.id);
    },
    strategy: (name) => definitions.has(name) && paths.strategy(name),
    'context field': (name) => fields.has(name) && paths.editContextField(name),
    'tag type': (name) => types.has(name) && paths.editTagType(name),
    tag: (name) => stored.some(({ type, value }) => `${type}: ${value}` === name) && paths.tags(),
    project: (name) => projects.some(({ id }) => id === name) && paths.editProject(name),
    application: (name) => apps.some(({ appName }) => appName === name) && paths.application(name),
    'API token': (name) => tokens.has(name) && paths.apiTokens(),
    addon: (name) => configured.some(({ id }) => String(id) === name) && paths.editAddon(Number(name)),
  };
  return (event) => {
    const subject = getEventSubject(event);
    return (subject && find[subject.kind](subject.name, event)) || undefined;
  };
}

const NO_EVENTS: readonly Event[] = [];
/** If these lists fail to load, events only have no links. */
const OPTIONAL = { handlesFailure: true };

function useNames(list: readonly { name: string }[] | undefined): ReadonlySet<string> {
  return useMemo(() => new Set(list?.map(({ name }) => name)), [list]);
}
