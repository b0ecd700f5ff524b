import { useSearchParams } from 'react-router-dom';
import type { Application } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { safeHref } from '@/lib/urls';
import { type ApplicationTab, applicationTabs, paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { TabLinks } from '@/shared/TabLinks';
import { useOpenNextPage } from '@/shared/useOpenNextPage';
import { useRouteParams } from '@/shared/useRouteParams';
import { Button } from '@/ui/Button';
import { describeRemoval } from '@/ui/describeRemoval';
import { ItemLoader } from '@/ui/ItemLoader';
import { ExternalLinkIcon, RemoveIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { Time } from '@/ui/Time';
import { useConfirm } from '@/ui/useConfirm';
import { AppIcon } from './AppIcon';
import { ApplicationDetails } from './ApplicationDetails';
import { apisOf, CLIENT_API_LABELS } from './clientApis';
import { EditApplication } from './EditApplication';
import { useApplication, useApplicationWrites } from './useApplications';

const LABELS: { [tab in ApplicationTab]: string } = { details: 'Details', edit: 'Edit' };

export function ApplicationPage() {
  const { name = '' } = useRouteParams();
  const [params] = useSearchParams();
  const current = params.get('tab') === 'edit' ? 'edit' : 'details';
  return (
    <ItemLoader noun="application" id={name} {...useApplication(name)} notFound={<NotFound name={name} />}>
      {(shown) => (
        <>
          <ApplicationHeader application={shown} />
          <Panel application={shown} current={current} />
        </>
      )}
    </ItemLoader>
  );
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
        <EditApplication application={application} />
      ) : (
        <ApplicationDetails application={application} />
      )}
    </>
  );
}

function NotFound({ name }: { name: string }) {
  return (
    <>
      <PageHeader title={name} breadcrumb={<Breadcrumb within={sections.applications} />} />
      <ResourceNotFound title={`Application (${name}) not found`} within={sections.applications}>
        Applications are listed after their client SDK has requested toggles from this server.
      </ResourceNotFound>
    </>
  );
}

function ApplicationHeader({ application }: { application: Application }) {
  const { appName, icon, description, url, createdAt, instances } = application;
  const apis = apisOf(instances).map((api) => CLIENT_API_LABELS[api]);
  return (
    <>
      <PageHeader
        title={appName}
        icon={<AppIcon name={icon} />}
        breadcrumb={<Breadcrumb within={sections.applications} />}
        actions={<DeleteApplication name={appName} />}
      />
      <div className="-mt-2 mb-4 grid gap-1 text-muted">
        {description && <p className="wrap-anywhere">{description}</p>}
        <p className="flex flex-wrap items-center gap-x-5 gap-y-1 text-secondary">
          {url && <ApplicationUrl url={url} />}
          {apis.length > 0 && <span>{apis.join(', ')}</span>}
          <span>
            Created <Time value={createdAt} />
          </span>
        </p>
      </div>
    </>
  );
}

/** Link to the application. Any user can set the URL, so unsafe schemes are shown as text. */
function ApplicationUrl({ url }: { url: string }) {
  const href = safeHref(url);
  if (href === undefined) return <span className="wrap-anywhere">{url}</span>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="wrap-anywhere inline-flex items-center gap-1.5 text-accent hover:underline touch:min-h-touch"
    >
      {url}
      <ExternalLinkIcon size={14} className="shrink-0" />
    </a>
  );
}

function DeleteApplication({ name }: { name: string }) {
  const openNext = useOpenNextPage();
  const { remove } = useApplicationWrites(name);
  const disabledReason = usePermission('UPDATE_APPLICATION');
  const removal = useConfirm(() =>
    describeRemoval({
      noun: 'application',
      name,
      consequences: 'is removed with its instances and metadata. It is listed again when it reports again.',
      action: async () => {
        await remove();
        void openNext(paths.applications());
      },
    }),
  );
  return (
    <>
      <Button variant="danger" icon={<RemoveIcon />} disabledReason={disabledReason} onClick={() => void removal.ask()}>
        Delete
      </Button>
      {removal.dialog}
    </>
  );
}
