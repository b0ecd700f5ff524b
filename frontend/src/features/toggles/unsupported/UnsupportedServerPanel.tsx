import { useCapabilities, useServerVersion } from '@/api/capabilities';
import type { Endpoint } from '@/api/client';
import {
  addons,
  applications,
  archivedFeatures,
  context,
  events,
  featureMetrics,
  features,
  strategies,
  tagTypes,
} from '@/api/endpoints';
import type { ApiError } from '@/api/error';
import type { FeaturesResponse } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useMetricsStatus } from '@/api/reads';
import { useToggleList } from '@/api/toggles';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { CheckIcon, CrossIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';

const FEATURES: readonly { label: string; endpoint: Endpoint<unknown>; path?: string }[] = [
  { label: 'List of toggles', endpoint: features },
  { label: 'Strategies', endpoint: strategies, path: paths.strategies() },
  { label: 'Event history', endpoint: events, path: paths.history() },
  { label: 'Archive', endpoint: archivedFeatures, path: paths.archive() },
  { label: 'Applications', endpoint: applications, path: paths.applications() },
  { label: 'Context fields', endpoint: context, path: paths.contextFields() },
  { label: 'Tag types', endpoint: tagTypes, path: paths.tagTypes() },
  { label: 'Addons', endpoint: addons, path: paths.addons() },
  { label: 'Metrics', endpoint: featureMetrics },
];

/** Explains that the server is unsupported, and lists the features that still work. */
export function UnsupportedServerPanel({ error }: { error: ApiError }) {
  const version = useServerVersion();
  const { data, reload } = useToggleList();
  return (
    <section role="alert" className="grid max-w-180 gap-4">
      <h2 className="font-semibold text-section">
        This console does not support managing toggles on this server version
      </h2>
      <p className="text-muted">
        {version ? (
          <>
            The server has version <b className="text-text">{version}</b>.{' '}
          </>
        ) : (
          'The server does not report its version. '
        )}
        The request for {describeRequest(data)} failed with status {error.status}. This console uses the admin API of
        Unleash 3.x, which 4.x also supports; other versions support parts of it. Connect this console to a server of
        these versions, or use the console that came with the server.
      </p>
      <h3 className="font-semibold">Supported features</h3>
      <ul className="grid gap-1.5 sm:grid-cols-2">
        {FEATURES.map((feature) => (
          <FeatureStatus key={feature.label} {...feature} />
        ))}
      </ul>
      <Button className="justify-self-start" onClick={reload}>
        Retry
      </Button>
    </section>
  );
}

function describeRequest(toggles: FeaturesResponse | undefined): string {
  if (!toggles) return 'the toggles (GET api/admin/features)';
  return toggles.features.length > 0
    ? 'one toggle (GET api/admin/features/…)'
    : 'metrics (GET api/admin/metrics/feature-toggles)';
}

function FeatureStatus({ label, endpoint, path }: (typeof FEATURES)[number]) {
  const { data, error } = useRead(endpoint);
  const works = data !== undefined;
  const Icon = works ? CheckIcon : CrossIcon;
  if (!works && !error) return <li className="text-faint">{label}: checking</li>;
  return (
    <li className="flex items-center gap-2">
      <Icon className={works ? 'text-on' : 'text-danger'} />
      {works && path ? (
        <TextLink to={path} tone="accent">
          {label}
        </TextLink>
      ) : (
        <span>{label}</span>
      )}
      <span className="text-muted">{works ? 'supported' : `not supported (${error?.status})`}</span>
    </li>
  );
}

/** Page shown instead of a toggle's page on unsupported servers. */
export function UnsupportedServerPage({ title, error }: { title: string; error: ApiError }) {
  return (
    <>
      <PageHeader title={title} breadcrumb={<Breadcrumb within={sections.toggles} />} />
      <UnsupportedServerPanel error={error} />
    </>
  );
}

/** Note for servers without supported metrics. Without it, empty rings would look like unused toggles. */
export function UnsupportedMetricsNote() {
  const version = useServerVersion();
  const { counts } = useCapabilities();
  const { reason } = useMetricsStatus(true);
  return (
    <p role="note" className="rounded-control bg-warn-soft px-4 py-2.5 text-warn">
      {counts !== 'minutes' && reason ? (
        reason
      ) : (
        <>
          This server{version && ` (version ${version})`} reports metrics in a format that this console does not
          support. Metrics stay empty; everything else works.
        </>
      )}
    </p>
  );
}
