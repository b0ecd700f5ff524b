import type { Application } from '@/api/generated/types';
import { safeHref } from '@/lib/urls';
import { sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { ExternalLinkIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { Time } from '@/ui/Time';
import { apisOf, CLIENT_API_LABELS } from '../clientApis';
import { AppIcon } from './AppIcon';
import { DeleteApplication } from './DeleteApplication';

export function ApplicationHeader({ application }: { application: Application }) {
  const { appName, icon, description, url, createdAt, instances } = application;
  const apis = apisOf(instances).map((api) => CLIENT_API_LABELS[api]);
  return (
    <>
      <PageHeader
        title={appName}
        mark={<AppIcon name={icon} />}
        breadcrumb={<Breadcrumb within={sections.applications} here={appName} />}
        actions={<DeleteApplication name={appName} />}
      />
      <div className="-mt-2 mb-4 grid gap-1 text-muted">
        {description && <p className="wrap-anywhere">{description}</p>}
        <p className="flex flex-wrap gap-x-5 gap-y-1 text-secondary">
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
