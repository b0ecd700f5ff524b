import { useSearchParams } from 'react-router-dom';
import type { Application } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { type ApplicationTab, applicationTabs, paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { TabLinks } from '@/shared/TabLinks';
import { useRouteParams } from '@/shared/useRouteParams';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { LatestUntilEdited } from '@/ui/LatestUntilEdited';
import { PageHeader } from '@/ui/PageHeader';
import { Progress } from '@/ui/Progress';
import { ApplicationDetails } from './components/ApplicationDetails';
import { ApplicationHeader } from './components/ApplicationHeader';
import { EditApplication } from './components/EditApplication';
import { useApplication } from './useApplications';

const LABELS: { [tab in ApplicationTab]: string } = { details: 'Details', edit: 'Edit' };

export function ApplicationPage() {
  const { name = '' } = useRouteParams();
  const [params] = useSearchParams();
  const current = params.get('tab') === 'edit' ? 'edit' : 'details';
  const found = useApplication(name, current === 'edit');
  switch (found.state) {
    case 'loading':
      return <Progress label="Loading the application" />;
    case 'failed':
      return <ErrorPanel title="The application could not be loaded" error={found.error} onRetry={found.reload} />;
    case 'missing':
      return <NotFound name={name} />;
    case 'found':
      return (
        <>
          <ApplicationHeader application={found.application} />
          <Panel application={found.application} current={current} />
        </>
      );
  }
}

function Panel({ application, current }: { application: Application; current: ApplicationTab }) {
  // Without the permission there are no tabs. An outage does not hide the edit tab, whose form must keep its input.
  if (usePermission('UPDATE_APPLICATION', { ignoresOutage: true }) !== undefined)
    return <ApplicationDetails application={application} />;
  const tabs = applicationTabs.map((id) => ({
    id,
    label: LABELS[id],
    path: paths.application(application.appName, id),
  }));
  return (
    <>
      <TabLinks label="Application tabs" tabs={tabs} current={current} />
      {current === 'edit' ? (
        <LatestUntilEdited item={application}>{(latest) => <EditApplication application={latest} />}</LatestUntilEdited>
      ) : (
        <ApplicationDetails application={application} />
      )}
    </>
  );
}

function NotFound({ name }: { name: string }) {
  return (
    <>
      <PageHeader title={name} breadcrumb={<Breadcrumb within={sections.applications} here={name} />} />
      <ResourceNotFound title={`Application (${name}) not found`} within={sections.applications}>
        Applications are listed after their client SDK has requested toggles from this server.
      </ResourceNotFound>
    </>
  );
}
