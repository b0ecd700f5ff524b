// Filtered list of events for both history pages.
import { Fragment, useMemo } from 'react';
import {
  addons,
  apiTokens,
  applications,
  archivedFeatures,
  context,
  projects,
  segments,
  strategies,
  tags,
  tagTypes,
} from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useSettings } from '@/api/settings';
import { useToggleList } from '@/api/toggles';
import type { EventPages } from '@/api/useEventPages';
import { EventLog } from '@/domain/events/EventLog';
import { EventNotListed } from '@/domain/events/EventNotListed';
import type { EventRowOptions } from '@/domain/events/EventRow';
import { type EventSubjectKind, getEventSubject, getToggleAction } from '@/domain/events/eventType';
import { LoadOlderButton, OlderEvents, useIsLimitedHistory } from '@/domain/events/OlderEvents';
import { useShowFullEvents } from '@/domain/events/useShowFullEvents';
import { cx } from '@/lib/cx';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { CopyMenu } from '@/shared/CopyMenu';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { HistoryIcon, NotFoundIcon } from '@/ui/icons';
import { Skeleton } from '@/ui/Skeleton';
import { EventFilterBar } from './EventFilterBar';
import { type EventFilter, filterEvents, isBeforeFilter, isFiltered, useEventFilter } from './eventFilter';

interface Props extends Pick<EventRowOptions, 'eventHref' | 'isLog' | 'actions'> {
  pages: EventPages;
  emptyText: string;
}

export function EventList({ pages, emptyText, ...source }: Props) {
  const { events, error, reload } = pages;
  const { filter, matching, linkedEvent, narrow, clear } = useEventFilter(events);
  const [showData, setShowData] = useShowFullEvents();
  const subjectHref = useSubjectHref(events);
  if (error && !events) return <ErrorPanel title="The history could not be loaded" error={error} onRetry={reload} />;
  if (events?.length === 0) {
    return (
      <Card>
        <EmptyState icon={<HistoryIcon size={20} />} title="No events">
          {emptyText}
        </EmptyState>
      </Card>
    );
  }
  const copied = { eventHref: source.eventHref };
  return (
    <div className="grid grid-cols-1 gap-4 max-sm:gap-1.5">
      <EventFilterBar
        events={events ?? []}
        hasOlder={pages.hasOlder}
        filter={filter}
        onChange={narrow}
        onClear={clear}
        shown={matching?.length}
        showData={showData}
        onShowData={setShowData}
      >
        {matching && matching.length > 0 && <CopyEvents events={matching} {...copied} />}
      </EventFilterBar>
      <EventNotListed id={linkedEvent} pages={pages} hint="The history of its toggle may still contain it." />
      {!matching && <EventsSkeleton />}
      {matching?.length === 0 && <NoMatchingEvents pages={pages} filter={filter} onClear={clear} />}
      {events && matching && matching.length > 0 && (
        <div>
          <EventLog
            events={matching}
            allEvents={events}
            linkedEvent={linkedEvent}
            headingLevel={2}
            hasOlder={pages.hasOlder}
            showData={showData}
            subjectHref={subjectHref}
            {...source}
          />
          {isFiltered(filter) ? (
            <footer className="mt-4 grid justify-items-center gap-2 text-center text-secondary">
              <SearchOlder pages={pages} filter={filter} />
            </footer>
          ) : (
            <OlderEvents pages={pages} isLog={source.isLog} />
          )}
        </div>
      )}
    </div>
  );
}

interface SearchOlderProps {
  pages: EventPages;
  filter: EventFilter;
}

/** Button that reads older events until one matches the filter; nothing if none can match. */
function SearchOlder({ pages, filter }: SearchOlderProps) {
  if (isBeforeFilter(pages.events ?? [], filter)) return null;
  return (
    <LoadOlderButton
      pages={pages}
      isEnough={(older) => filterEvents(older, filter).length > 0 || isBeforeFilter(older, filter)}
    >
      Search older events
    </LoadOlderButton>
  );
}

function NoMatchingEvents({ pages, filter, onClear }: SearchOlderProps & { onClear: () => void }) {
  const locale = useLocale();
  const isLimited = useIsLimitedHistory(pages);
  const total = pages.events?.length ?? 0;
  const count = formatNumber(total, locale);
  const hidden = total === 1 ? '1 event is hidden.' : `${count} events are hidden.`;
  return (
    <Card>
      <EmptyState
        icon={<NotFoundIcon size={20} />}
        title="No event matches these filters"
        actions={
          <>
            <SearchOlder pages={pages} filter={filter} />
            <Button onClick={onClear}>Clear filters</Button>
          </>
        }
      >
        {pages.hasOlder && `Searched the newest ${count} events. `}
        {isLimited && `Searched the newest ${count} events: the server sends no older ones. `}
        {!pages.hasOlder && !isLimited && hidden}
        {isLimited && <LogLinks text={filter.text} />}
      </EmptyState>
    </Card>
  );
}

/** Number of links to logs. */
const MAX_LINKS = 3;

/** Links to the logs of the toggles whose names contain the text. A log reaches further back than the history. */
function LogLinks({ text }: { text: string }) {
  const part = text.trim().toLowerCase();
  const toggles = useToggleList(part !== '').data?.features ?? [];
  const found = toggles.filter(({ name }) => part !== '' && name.toLowerCase().includes(part)).slice(0, MAX_LINKS);
  if (found.length === 0) return 'The log of a toggle reaches further back.';
  return (
    <>
      Older changes:{' '}
      {found.map(({ name }, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <TextLink tone="accent" to={paths.toggleHistory(name)} className="font-semibold">
            log of {name}
          </TextLink>
        </Fragment>
      ))}
    </>
  );
}

function CopyEvents({ events }: { events: readonly Event[] }) {
  return <CopyMenu subject="the events" json={() => events} />;
}

const ROWS = [440, 360, 520, 400, 480, 380, 460, 420];

/** Placeholder rows with the height of real rows, so that the layout does not shift. */
function EventsSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading the history"
      className="overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      <div className="flex h-7 items-center border-line border-b bg-bg px-3.5 max-sm:h-5.5 max-sm:px-3">
        <Skeleton width={64} height={10} />
      </div>
      {ROWS.map((width, index) => (
        <div
          key={width}
          className={cx(
            'flex h-10.5 items-center gap-2.5 px-3.5 max-sm:h-16 max-sm:px-3',
            index > 0 && 'border-line border-t',
          )}
        >
          <span className="size-5 shrink-0 rounded-full bg-sunken" />
          <Skeleton width={width} height={12} />
        </div>
      ))}
    </div>
  );
}

/** Links from events to their items, unless an item was deleted or archived since, or its list could not be loaded. */
function useSubjectHref(events: readonly Event[] = NO_EVENTS): (event: Event) => string | undefined {
  const kinds = useMemo(() => new Set(events.map((event) => getEventSubject(event)?.kind)), [events]);
  const has = (kind: EventSubjectKind) => kinds.has(kind);
  const live = useNames(useToggleList(has('toggle')).data?.features);
  const archived = useNames(useRead(has('toggle') ? archivedFeatures : null).data?.features);
  const definitions = useNames(useRead(has('strategy') ? strategies : null).data?.strategies);
  const fields = useNames(useRead(has('context field') ? context : null).data);
  const types = useNames(useRead(has('tag type') ? tagTypes : null).data?.tagTypes);
  const apps = useRead(has('application') ? applications : null).data?.applications ?? [];
  const configured = useRead(has('addon') ? addons : null).data?.addons ?? [];
  const stored = useRead(has('tag') ? tags : null).data?.tags ?? [];
  const segmentList = useRead(has('segment') ? segments : null).data?.segments ?? [];
  const named = (name: string) => segmentList.find((segment) => segment.name === name);
  const owners = useRead(has('project') ? projects : null).data?.projects ?? [];
  const isEmbedded = useSettings()?.mode === 'embedded';
  const tokens = useNames(useRead(has('API token') && isEmbedded ? apiTokens : null).data?.tokens);
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
    segment: (name) => named(name) && paths.editSegment(named(name)?.id ?? 0),
    project: (name) => owners.some(({ id }) => id === name) && paths.editProject(name),
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

function useNames(list: readonly { name: string }[] | undefined): ReadonlySet<string> {
  return useMemo(() => new Set(list?.map(({ name }) => name)), [list]);
}
