import { joinFirst } from '@/lib/joinFirst';
import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { SuccessIcon, WarningIcon } from '@/ui/icons';
import type { MissingItems } from '../missing';
import { useArchivedNames } from '../useMissingItems';
import { ArchivedToggleLink } from './ArchivedToggleLink';
import { MissingTable } from './MissingTable';

interface Props {
  missing: MissingItems;
  /** Number of applications. */
  total: number;
  onRetry: () => void;
}

export function MissingReport({ missing: { toggles, strategies, unreadApplications }, total, onRetry }: Props) {
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
