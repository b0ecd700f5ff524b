import { sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { Progress } from '@/ui/Progress';
import { MissingReport } from './components/MissingReport';
import { useApplications } from './useApplications';
import { useMissingItems } from './useMissingItems';

export function MissingTogglesPage() {
  const { applications, error, reload } = useApplications();
  const { missing, done, total, reload: retry } = useMissingItems(applications);
  return (
    <>
      <PageHeader
        title="Missing toggles"
        count={missing?.toggles.length}
        breadcrumb={<Breadcrumb within={sections.applications} here="Missing toggles" />}
        hidesBreadcrumbOnPhones
      />
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
