// Lists of the toggles and applications that use a strategy, for its page, its form and its dialogs.
import { useCapabilities } from '@/api/capabilities';
import { joinFirst } from '@/lib/joinFirst';
import { paths } from '@/paths';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { useApplicationsUsing, useApplicationsWithout, useTogglesUsing } from '../useStrategyUsage';
import { UsageList } from './UsageList';

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
