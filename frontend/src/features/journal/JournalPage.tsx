import { useState } from 'react';
import type { JournalEnd, JournalLine, Person } from '@/api/generated/types';
import { pushInfo } from '@/api/notices';
import { useSettings } from '@/api/settings';
import { HistoryViews } from '@/domain/events/HistoryViews';
import { formatExact, formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { useSearch } from '@/lib/useSearch';
import { paths, sections } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { PeriodChips, TimeRangePanel } from '@/shared/TimeRange';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import type { Column } from '@/ui/Column';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { DownloadIcon, FilterIcon, JournalIcon, NotFoundIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { PageHeader } from '@/ui/PageHeader';
import { PlainTable } from '@/ui/PlainTable';
import { Popover } from '@/ui/Popover';
import { SearchField } from '@/ui/SearchField';
import { Select } from '@/ui/Select';
import { Skeleton } from '@/ui/Skeleton';
import { Time } from '@/ui/Time';
import { useHasFilterPanel } from '@/ui/useIsNarrow';
import { describeLine, describePerson, describeResult, JOURNAL_ENDS, PERSON_SOURCES } from './describeLine';
import { saveLines } from './exportLines';
import { countPanelFilters, isFiltered, type JournalFilter, toQuery, useJournalFilter } from './journalFilter';
import { type JournalPages, useJournalPages } from './useJournalPages';

/** The operators' journal, for administrators. */
export function JournalPage() {
  const settings = useSettings();
  if (settings === undefined) return null;
  if (settings.journal) return <Journal />;
  return (
    <>
      <PageHeader title={sections.journal.label} />
      <HistoryViews />
      <Card>
        <EmptyState icon={<JournalIcon size={20} />} title="No journal">
          Flagdeck records who changed something when it runs with the setting journal and a file.
        </EmptyState>
      </Card>
    </>
  );
}

function Journal() {
  const { filter, narrow, clear } = useJournalFilter();
  const pages = useJournalPages(toQuery(filter));
  const { lines, error, restart } = pages;
  const isRefused = error?.status === 403;
  return (
    <>
      <PageHeader
        title={sections.journal.label}
        actions={!isRefused && <ExportMenu pages={pages} isEmpty={!lines || lines.length === 0} />}
      />
      <HistoryViews />
      {error && !lines ? (
        <ErrorPanel
          title={isRefused ? 'Only administrators can read the journal' : 'The journal could not be loaded'}
          error={error}
          onRetry={isRefused ? undefined : restart}
        />
      ) : (
        <div className="grid gap-4 max-sm:gap-2.5">
          <FilterBar filter={filter} onChange={narrow} onClear={clear} />
          {!lines && <LinesSkeleton />}
          {lines?.length === 0 && <NoLines pages={pages} onClear={clear} />}
          {lines && lines.length > 0 && (
            <div>
              <PlainTable label="Journal" columns={columns} rows={lines} rowKey={({ sequence }) => sequence} />
              <footer className="mt-4 grid justify-items-center gap-2 text-center text-faint text-secondary">
                <OlderLines pages={pages} />
                {pages.end && <p>{JOURNAL_ENDS[pages.end]}</p>}
              </footer>
            </div>
          )}
        </div>
      )}
    </>
  );
}

interface FilterProps {
  filter: JournalFilter;
  onChange: (part: Partial<JournalFilter>) => void;
}

function FilterBar({ filter, onChange, onClear }: FilterProps & { onClear: () => void }) {
  const person = useSearch(filter.person, (text) => onChange({ person: text }));
  const item = useSearch(filter.item, (text) => onChange({ item: text }));
  const hasPanel = useHasFilterPanel();
  const hasFilter = isFiltered(filter);
  return (
    <div className="grid gap-2 max-sm:gap-1">
      <search className="flex flex-wrap items-center gap-2.5">
        <div className="flex min-w-48 flex-1">
          <SearchField label="Search persons" placeholder="Person" shortcutHint="/" {...person} />
        </div>
        <div className="flex min-w-48 flex-1">
          <SearchField label="Search items" placeholder="Toggle or other item" {...item} />
        </div>
        {hasPanel ? (
          <Popover label="Filter" icon={<FilterIcon />} count={countPanelFilters(filter)}>
            {() => (
              <div className="grid gap-4">
                <ResultChoice filter={filter} onChange={onChange} />
                <SourceChoice filter={filter} onChange={onChange} />
                <TimeRangePanel range={filter} onChange={onChange} />
              </div>
            )}
          </Popover>
        ) : (
          <>
            <ResultChoice filter={filter} onChange={onChange} hideLabel />
            <SourceChoice filter={filter} onChange={onChange} hideLabel />
          </>
        )}
      </search>
      {(!hasPanel || hasFilter) && (
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
          {!hasPanel && <PeriodChips range={filter} onChange={onChange} hasRange />}
          {hasFilter && (
            <Button variant="ghost" size="small" onClick={onClear}>
              Clear all
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

const RESULT_OPTIONS = [
  { value: '', label: 'Any result' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'refused', label: 'Refused' },
  { value: 'failed', label: 'Failed' },
] as const;

function ResultChoice({ filter, onChange, hideLabel = false }: FilterProps & { hideLabel?: boolean }) {
  return (
    <Select
      label="Result"
      value={filter.result}
      options={RESULT_OPTIONS}
      hideLabel={hideLabel}
      onChange={(result) => onChange({ result })}
    />
  );
}

const SOURCE_OPTIONS = [
  { value: '', label: 'Requests' },
  { value: 'commands', label: 'Commands' },
] as const;

/** Selects the lines of the server, or those of commands such as `flagdeck user add`. */
function SourceChoice({ filter, onChange, hideLabel = false }: FilterProps & { hideLabel?: boolean }) {
  return (
    <Select
      label="Source"
      value={filter.source}
      options={SOURCE_OPTIONS}
      hideLabel={hideLabel}
      onChange={(source) => onChange({ source })}
    />
  );
}

const columns: readonly Column<JournalLine>[] = [
  { header: 'Change', cell: (line) => <Change line={line} /> },
  { header: 'Person', width: '15%', cell: ({ person }) => <PersonName person={person} /> },
  { header: 'Result', width: '8.5rem', cell: (line) => <ResultChip line={line} /> },
  {
    header: 'Address',
    width: '15%',
    className: 'text-muted tabular-nums',
    cell: ({ address }) => address,
  },
  {
    header: 'Time',
    width: '7rem',
    className: 'whitespace-nowrap text-muted',
    cell: ({ time }) => <Time value={time} />,
  },
];

/** The change in words, in which the toggle is a link, with a link to its event. */
function Change({ line }: { line: JournalLine }) {
  const { item, events = [], environment, status } = line;
  const text = describeLine(line);
  const isToggle = item?.type === 'toggle';
  const [event] = events;
  const nameAt = item ? text.lastIndexOf(item.name) : -1;
  return (
    <span className="flex flex-wrap gap-x-3 font-normal">
      <span>
        {item && nameAt >= 0 ? (
          <>
            {text.slice(0, nameAt)}
            <b className="font-semibold">
              {isToggle && status !== 404 ? <TextLink to={paths.toggle(item.name)}>{item.name}</TextLink> : item.name}
            </b>
            {text.slice(nameAt + item.name.length)}
          </>
        ) : (
          text
        )}
        {environment !== undefined && <span className="text-muted"> in {environment}</span>}
      </span>
      {event !== undefined && (
        <TextLink
          tone="accent"
          className="text-secondary leading-5"
          to={isToggle ? paths.toggleEvent(item.name, event) : paths.event(event)}
        >
          Event
        </TextLink>
      )}
    </span>
  );
}

function PersonName({ person }: { person: Person | undefined }) {
  if (!person) return <span className="text-muted">{describePerson(person)}</span>;
  const details = [person.sub, person.iss, PERSON_SOURCES[person.known]].filter((part) => part !== undefined);
  const isKnown = person.known !== 'unknown' && person.known !== 'session-digest';
  return (
    <span title={details.join('\n')} className={isKnown ? undefined : 'text-muted'}>
      {describePerson(person)}
    </span>
  );
}

function ResultChip({ line }: { line: JournalLine }) {
  const result = describeResult(line);
  return result && <Chip tone={result.tone}>{result.text}</Chip>;
}

/** Button that reads older lines, and the error of the last attempt. */
function OlderLines({ pages }: { pages: JournalPages }) {
  const { hasOlder, olderError, isLoadingOlder, loadOlder, restart } = pages;
  if (!hasOlder) return null;
  // After a rotation, the position of the older lines does not exist any more.
  const isReplaced = olderError?.status === 410;
  const retryLabel = isReplaced ? 'Load newest entries' : 'Retry';
  return (
    <>
      {olderError && (
        <p role="alert" className="text-danger">
          Older entries could not be loaded: {olderError.message}
        </p>
      )}
      <Button busy={isLoadingOlder} onClick={isReplaced ? restart : () => loadOlder()}>
        {olderError ? retryLabel : 'Show older entries'}
      </Button>
    </>
  );
}

/** What was searched, if no line was found up to the end. */
const SEARCHED: { readonly [end in JournalEnd]: string } = {
  start: 'All entries were searched.',
  missing: 'Entries in files that were moved, compressed or removed were not searched.',
  period: 'All entries of this period were searched.',
};

function NoLines({ pages, onClear }: { pages: JournalPages; onClear: () => void }) {
  const locale = useLocale();
  const { hasOlder, end, searchedUntil } = pages;
  return (
    <Card>
      <EmptyState
        icon={<NotFoundIcon size={20} />}
        title="No entry matches these filters"
        actions={
          <>
            <OlderLines pages={pages} />
            <Button onClick={onClear}>Clear filters</Button>
          </>
        }
      >
        {hasOlder && searchedUntil !== null
          ? `Entries since ${formatExact(Date.parse(searchedUntil), locale)} were searched.`
          : SEARCHED[end ?? 'start']}
      </EmptyState>
    </Card>
  );
}

function ExportMenu({ pages, isEmpty }: { pages: JournalPages; isEmpty: boolean }) {
  const [busy, setBusy] = useState(false);
  const locale = useLocale();
  const save = async (format: 'csv' | 'json') => {
    setBusy(true);
    try {
      const { lines, isComplete } = await pages.readAll();
      saveLines(lines, format);
      if (!isComplete)
        pushInfo(
          `Exported the newest ${formatNumber(lines.length, locale)} entries that match the filters. Narrow the time to export others.`,
        );
    } catch {
      // The snackbar shows the failure.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      label="Export"
      trigger={{ text: 'Export', icon: <DownloadIcon /> }}
      busy={busy}
      disabledReason={isEmpty ? 'There are no entries to export' : undefined}
      items={[
        { id: 'csv', label: 'Export as CSV', onSelect: () => void save('csv') },
        { id: 'json', label: 'Export as JSON', onSelect: () => void save('json') },
      ]}
    />
  );
}

const ROWS = [380, 300, 440, 340, 400, 320, 420, 360];

/** Placeholder rows. */
function LinesSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading the journal"
      className="overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      {ROWS.map((width) => (
        <div key={width} className="flex h-14 items-center px-4 not-first:border-line not-first:border-t">
          <Skeleton width={width} height={12} />
        </div>
      ))}
    </div>
  );
}
