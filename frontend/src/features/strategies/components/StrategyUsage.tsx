// Who is concerned when a definition changes, in the three lists that its page, its form and its dialogs show.
import { paths } from '@/paths';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { useApplicationsUsing, useApplicationsWithout, useTogglesUsing } from '../useStrategyUsage';
import { UsageList } from './UsageList';

interface Props {
  name: string;
  /** Where the headings stand among those of the page or dialog. */
  level: 2 | 3;
}

function TogglesUsing({ name, level }: Props) {
  const { items, error, reload } = useTogglesUsing(name);
  return (
    <UsageList
      title="Toggles using it"
      level={level}
      items={items?.map((toggle) => ({
        name: toggle.name,
        path: toggle.archived ? paths.archivedToggle(toggle.name) : paths.toggle(toggle.name),
        note: stateChip(toggle),
      }))}
      error={error}
      onRetry={reload}
      empty="No toggle uses it."
      all={{ label: 'search the toggles for it', path: paths.togglesMatching(name) }}
    />
  );
}

function stateChip({ archived, enabled }: { archived: boolean; enabled: boolean }) {
  if (archived) return <Chip>Archived</Chip>;
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
      empty="No application says that it implements it."
      all={{ label: 'all applications', path: paths.applications() }}
    />
  );
}

function ApplicationsWithout({ name, level }: Props) {
  const { items, error, reload } = useApplicationsWithout(name);
  return (
    <UsageList
      title="Applications without it"
      level={level}
      help="They did not name it among the strategies that they implement. To them it never says yes."
      items={items?.map(({ appName, requestedToggles }) => ({
        name: appName,
        path: paths.application(appName),
        note: requestedToggles.length > 0 && (
          <span className="wrap-anywhere min-w-0 text-warn">asks for {joinFirstNames(requestedToggles)}</span>
        ),
      }))}
      error={error}
      onRetry={reload}
      empty="Every application that is known implements it."
      all={{ label: 'all applications', path: paths.applications() }}
    />
  );
}

/** The first few of many names. */
function joinFirstNames(names: readonly string[]): string {
  const more = names.length - 3;
  return names.slice(0, 3).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Everything there is to know of it, side by side on a page of its own. */
export function StrategyUsageCards({ name, isDefined }: { name: string; isDefined: boolean }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-3">
      <Card>
        <TogglesUsing name={name} level={2} />
      </Card>
      <Card>
        <ApplicationsUsing name={name} level={2} />
      </Card>
      {/* Of one that is not defined it would be no wonder. */}
      {isDefined && (
        <Card>
          <ApplicationsWithout name={name} level={2} />
        </Card>
      )}
    </div>
  );
}

/** What to know before a definition is edited, deprecated or deleted. */
export function StrategyUsage({ name, level }: Props) {
  return (
    <div className="grid gap-4">
      <TogglesUsing name={name} level={level} />
      <ApplicationsWithout name={name} level={level} />
    </div>
  );
}
