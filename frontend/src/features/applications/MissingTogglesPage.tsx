import type { ReactNode } from 'react';
import type { PermissionName } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { andMore, joinFirst } from '@/lib/text';
import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import type { Column } from '@/ui/Column';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { AddIcon, SuccessIcon, WarningIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { PlainTable } from '@/ui/PlainTable';
import { Progress } from '@/ui/Progress';
import { ApplicationViews } from './ApplicationViews';
import { ArchivedToggleLink } from './ArchivedToggleLink';
import type { MissingItems, RequestedItem } from './missing';
import { useApplications } from './useApplications';
import { useArchivedNames, useMissingItems } from './useMissingItems';

export function MissingTogglesPage() {
  const { applications, error, reload } = useApplications();
  const { missing, done, total, reload: retry } = useMissingItems(applications);
  return (
    <>
      <PageHeader title="Missing toggles" count={missing?.toggles.length} />
      <ApplicationViews missing={missing} />
      {missing && <MissingReport missing={missing} total={total} onRetry={retry} />}
      {!missing && error && <ErrorPanel title="The applications could not be loaded" error={error} onRetry={reload} />}
      {!missing && !error && (
        <div className="grid gap-2">
          <Progress label="Checking the applications" />
          <p role="status" className="text-muted text-secondary">
            {total > 0 && `Checked ${done} of ${total} applications…`}
          </p>
        </div>
      )}
    </>
  );
}

interface MissingReportProps {
  missing: MissingItems;
  /** Number of applications. */
  total: number;
  onRetry: () => void;
}

function MissingReport({ missing: { toggles, strategies, unreadApplications }, total, onRetry }: MissingReportProps) {
  const archived = useArchivedNames();
  return (
    <div className="grid gap-6">
      {unreadApplications.length > 0 && <UnreadWarning names={unreadApplications} onRetry={onRetry} />}
      {toggles.length === 0 && strategies.length === 0 && unreadApplications.length < total && <NothingMissing />}
      {total === 0 && <NoReports />}
      {toggles.length > 0 && (
        <MissingTable
          noun="toggle"
          items={toggles}
          create={{ href: (name) => paths.createToggle(name), permission: 'CREATE_FEATURE' }}
          alternative={(name) => archived.has(name) && <ArchivedToggleLink name={name} />}
        />
      )}
      {strategies.length > 0 && (
        <section className="grid gap-3">
          <h2 className="font-semibold text-section">Missing strategies</h2>
          <MissingTable
            noun="strategy"
            items={strategies}
            create={{ href: paths.createStrategy, permission: 'CREATE_STRATEGY' }}
          />
        </section>
      )}
    </div>
  );
}

const MAX_NAMES = 5;

function UnreadWarning({ names, onRetry }: { names: readonly string[]; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-card bg-warn-soft px-4 py-3">
      <WarningIcon size={17} className="shrink-0 text-warn" />
      <p className="wrap-anywhere min-w-0 flex-1 basis-60">
        Incomplete: {names.length === 1 ? 'one application' : `${names.length} applications`} could not be loaded (
        {joinFirst(names, MAX_NAMES)}).
      </p>
      <Button size="small" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

function NothingMissing() {
  return (
    <Card>
      <EmptyState icon={<SuccessIcon size={20} />} title="Nothing is missing">
        All toggles and strategies that applications reported exist.
      </EmptyState>
    </Card>
  );
}

function NoReports() {
  return (
    <Card>
      <EmptyState
        title="No applications"
        actions={<LinkButton to={paths.applications()}>Connect an application</LinkButton>}
      >
        Client SDKs report the toggles and strategies that they use. Those that do not exist are listed here.
      </EmptyState>
    </Card>
  );
}

interface MissingTableProps {
  noun: 'toggle' | 'strategy';
  items: readonly RequestedItem[];
  /** Form and permission to create an item. */
  create: { href: (name: string) => string; permission: PermissionName };
  /** Link to show instead if an item cannot be created. */
  alternative?: (name: string) => ReactNode;
}

const columns: readonly Column<RequestedItem>[] = [
  { header: 'Name', width: '40%', cell: ({ name }) => name },
  { header: 'Used by', cell: ({ requestedBy }) => <LinkedApplications names={requestedBy} /> },
];

function MissingTable({ noun, items, create, alternative }: MissingTableProps) {
  // Detects a server whose toggles cannot be created here.
  useUnsupportedServer();
  const canCreate = usePermission(create.permission) === undefined;
  return (
    <PlainTable
      label={noun === 'toggle' ? 'Missing toggles' : 'Missing strategies'}
      columns={columns}
      rows={items}
      rowKey={({ name }) => name}
      actions={({ name }) =>
        alternative?.(name) || (canCreate && <CreateItemLink to={create.href(name)} name={name} />)
      }
      actionsWidth="9rem"
    />
  );
}

function CreateItemLink({ to, name }: { to: string; name: string }) {
  return (
    <LinkButton to={to} aria-label={`Create ${name}`} size="small" className="max-sm:mr-2" icon={<AddIcon size={15} />}>
      Create
    </LinkButton>
  );
}

const MAX_APPLICATIONS = 6;

function LinkedApplications({ names }: { names: readonly string[] }) {
  const more = andMore(names, MAX_APPLICATIONS);
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 max-sm:inline-flex">
      {names.slice(0, MAX_APPLICATIONS).map((name) => (
        <li key={name} className="min-w-0">
          <TextLink to={paths.application(name)} tone="accent" className="wrap-anywhere">
            {name}
          </TextLink>
        </li>
      ))}
      {more && <li className="text-muted">{more}</li>}
    </ul>
  );
}
