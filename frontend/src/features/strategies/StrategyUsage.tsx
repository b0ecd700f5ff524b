// Lists of the toggles and applications that use a strategy, for its page, its form and its dialogs.
import { type ReactNode, useId } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { applications, applicationsUsing, archivedFeatures, seenApps } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useTogglesWithStrategies } from '@/api/reads';
import { joinFirst } from '@/lib/text';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { RetryIcon } from '@/ui/icons';
import { Skeleton } from '@/ui/Skeleton';
import {
  type ApplicationWithoutStrategy,
  applicationsWithout,
  implementsStrategy,
  togglesUsingStrategy,
} from './usage';

interface Props {
  name: string;
  /** Level of the headings. */
  level: 2 | 3;
}

const ARCHIVE_MISSING = 'Without archived toggles: this server lists them without their strategies.';

function TogglesUsing({ name, level }: Props) {
  const { items, error, reload } = useTogglesUsing(name);
  const isArchiveMissing = !useCapabilities().archivesStrategies;
  return (
    <UsageList
      title="Toggles using it"
      level={level}
      help={isArchiveMissing ? ARCHIVE_MISSING : undefined}
      items={items?.map((toggle) => ({
        name: toggle.name,
        path: toggle.isArchived ? paths.archivedToggle(toggle.name) : paths.toggle(toggle.name),
        note: stateChip(toggle),
      }))}
      error={error}
      onRetry={reload}
      empty={isArchiveMissing ? `No toggles use it. ${ARCHIVE_MISSING}` : 'No toggles use it.'}
      all={{ label: 'search toggles', path: paths.togglesMatching(name) }}
    />
  );
}

function stateChip({ isArchived, enabled }: { isArchived: boolean; enabled: boolean }) {
  if (isArchived) return <Chip>Archived</Chip>;
  return enabled ? undefined : <Chip>Off</Chip>;
}

function ApplicationsUsing({ name, level }: Props) {
  const { items, error, reload } = useApplicationsUsing(name);
  return (
    <UsageList
      title="Applications using it"
      level={level}
      items={items?.map((appName) => ({ name: appName, path: paths.application(appName) }))}
      error={error}
      onRetry={reload}
      empty="No applications report that they implement it."
      all={{ label: 'all applications', path: paths.applications() }}
    />
  );
}

function ApplicationsWithout({ name, level }: Props) {
  const { items, error, reload, hasToggles } = useApplicationsWithout(name);
  return (
    <UsageList
      title="Applications without it"
      level={level}
      help={hasToggles ? WITHOUT : `${WITHOUT} This server does not report which of them use a toggle with it.`}
      items={items?.map(({ appName, requestedToggles }) => ({
        name: appName,
        path: paths.application(appName),
        note: requestedToggles.length > 0 && (
          <span className="wrap-anywhere min-w-0 text-warn">uses {joinFirst(requestedToggles, 3)}</span>
        ),
      }))}
      error={error}
      onRetry={reload}
      empty="All known applications implement it."
      all={{ label: 'all applications', path: paths.applications() }}
    />
  );
}

const WITHOUT = 'These applications don’t support this strategy; it is never on for them.';

/** All usage lists as cards, for the strategy's page. */
export function StrategyUsageCards({ name, isDefined }: { name: string; isDefined: boolean }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-3">
      <Card>
        <TogglesUsing name={name} level={2} />
      </Card>
      <Card>
        <ApplicationsUsing name={name} level={2} />
      </Card>
      {/* Not useful for a strategy without a definition. */}
      {isDefined && (
        <Card>
          <ApplicationsWithout name={name} level={2} />
        </Card>
      )}
    </div>
  );
}

/** Usage lists to check before a definition is edited, deprecated or deleted. */
export function StrategyUsage({ name, level }: Props) {
  return (
    <div className="grid gap-4">
      <TogglesUsing name={name} level={level} />
      <ApplicationsWithout name={name} level={level} />
    </div>
  );
}

/** Longer lists end with the number of further items and a link to all of them. */
const MAX_SHOWN = 10;

interface UsageItem {
  name: string;
  path: string;
  /** Additional information after the link. */
  note?: ReactNode;
}

interface UsageListProps {
  title: string;
  /** Level of the heading. */
  level: 2 | 3;
  help?: string | undefined;
  /** Undefined while loading. */
  items: readonly UsageItem[] | undefined;
  error: Error | undefined;
  onRetry: () => void;
  /** Text for an empty list. */
  empty: string;
  /** Link to the whole list. */
  all: { label: string; path: string };
}

/** List of links to the users of a strategy. */
function UsageList({ title, level, help, items, error, onRetry, empty, all }: UsageListProps) {
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <section aria-labelledby={id} className="min-w-0">
      <Heading id={id} className="font-semibold text-secondary text-text">
        {title}
        {items && items.length > 0 && <span className="ml-2 font-normal text-muted tabular-nums">{items.length}</span>}
      </Heading>
      {help && items && items.length > 0 && <p className="mt-0.5 text-muted text-secondary">{help}</p>}
      <div className="mt-2">{body()}</div>
    </section>
  );

  function body() {
    if (error && !items) {
      return (
        <div role="alert" className="grid justify-items-start gap-2">
          <p className="wrap-anywhere text-danger text-secondary">{error.message}</p>
          <Button size="small" icon={<RetryIcon size={14} />} onClick={onRetry}>
            Retry
          </Button>
        </div>
      );
    }
    if (!items) return <Skeleton width={180} />;
    if (items.length === 0) return <p className="text-muted text-secondary">{empty}</p>;
    return (
      <ul className="grid gap-1.5">
        {items.slice(0, MAX_SHOWN).map(({ name, path, note }) => (
          <li key={name} className="flex min-w-0 flex-wrap items-center gap-x-2 text-secondary">
            <TextLink to={path} tone="accent" className={LINK}>
              {name}
            </TextLink>
            {note}
          </li>
        ))}
        {items.length > MAX_SHOWN && (
          <li className="text-secondary">
            and {items.length - MAX_SHOWN} more:{' '}
            <TextLink to={all.path} tone="accent" className={LINK}>
              {all.label}
            </TextLink>
          </li>
        )}
      </ul>
    );
  }
}

const LINK = 'wrap-anywhere inline-flex items-center font-medium touch:min-h-touch';

// Reads the usage of a strategy. Each list loads and fails on its own.

interface UsageResult<Item> {
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  error: Error | undefined;
  reload: () => void;
}

interface ToggleWithState extends Pick<Toggle, 'name' | 'enabled'> {
  isArchived: boolean;
}

function useTogglesUsing(strategyName: string): UsageResult<ToggleWithState> {
  const live = useTogglesWithStrategies();
  const archive = useRead(archivedFeatures);
  const failed = [live, archive].find(({ data, error }) => error && !data);
  return {
    items: live.data &&
      archive.data && [
        ...togglesUsingStrategy(strategyName, live.data.features).map((toggle) => ({ ...toggle, isArchived: false })),
        ...togglesUsingStrategy(strategyName, archive.data.features).map((toggle) => ({ ...toggle, isArchived: true })),
      ],
    error: failed?.error,
    reload: () => {
      live.reload();
      archive.reload();
    },
  };
}

function useApplicationsUsing(strategyName: string): UsageResult<string> {
  const filtered = useRead(applicationsUsing(strategyName));
  const all = useRead(applications);
  // Version 3.17 fails on the filtered request if there is any application; the whole list has the same data.
  const data = filtered.data ?? (filtered.error && all.data);
  return {
    items: data?.applications.filter((app) => implementsStrategy(strategyName, app)).map(({ appName }) => appName),
    error: data ? undefined : all.error,
    reload: () => {
      filtered.reload();
      all.reload();
    },
  };
}

interface WithoutResult extends UsageResult<ApplicationWithoutStrategy> {
  /** False if the server does not report which toggles an application uses. */
  hasToggles: boolean;
}

function useApplicationsWithout(strategyName: string): WithoutResult {
  const all = useRead(applications);
  const live = useTogglesWithStrategies();
  // Optional: without it the list of applications is still complete.
  const seen = useRead(seenApps);
  const failed = [all, live].find(({ data, error }) => error && !data);
  const using = live.data && togglesUsingStrategy(strategyName, live.data.features);
  return {
    items: all.data && using && applicationsWithout(strategyName, all.data.applications, using, seen.data ?? {}),
    error: failed?.error,
    hasToggles: !seen.error,
    reload: () => {
      all.reload();
      live.reload();
    },
  };
}
