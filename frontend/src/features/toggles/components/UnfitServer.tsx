import { Check, X } from 'lucide-react';
import { Link } from 'react-router-dom';
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
import { useRead } from '@/api/hooks';
import { useServerVersion } from '@/api/serverVersion';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';

const PARTS: readonly { label: string; endpoint: Endpoint<unknown>; path?: string }[] = [
  { label: 'List of toggles', endpoint: features },
  { label: 'Strategies', endpoint: strategies, path: paths.strategies() },
  { label: 'Event history', endpoint: events, path: paths.history() },
  { label: 'Archive', endpoint: archivedFeatures, path: paths.archive() },
  { label: 'Applications', endpoint: applications, path: paths.applications() },
  { label: 'Context fields', endpoint: context, path: paths.contextFields() },
  { label: 'Tag types', endpoint: tagTypes, path: paths.tagTypes() },
  { label: 'Addons', endpoint: addons, path: paths.addons() },
  { label: 'Counts of calls', endpoint: featureMetrics },
];

/** In place of toggles that cannot be managed: what the server is, and what works with it all the same. */
export function UnfitServer({ error }: { error: ApiError }) {
  const version = useServerVersion();
  const { data, reload } = useRead(features);
  return (
    <section role="alert" className="grid max-w-180 gap-4">
      <h2 className="font-semibold text-section">This server does not manage toggles the way this console does</h2>
      <p className="text-muted">
        {version ? (
          <>
            It is version <b className="text-text">{version}</b>.{' '}
          </>
        ) : (
          'It does not tell its version. '
        )}
        Asked for {askedFor(data)}, it answered {error.status}. This console speaks the admin API of Unleash 3.x, which
        4.x also answers; older and newer servers answer parts of it. Put a server of these versions behind it, or use
        the console that came with this one.
      </p>
      <h3 className="font-semibold">What it answers</h3>
      <ul className="grid gap-1.5 sm:grid-cols-2">
        {PARTS.map((part) => (
          <Part key={part.label} {...part} />
        ))}
      </ul>
      <Button className="justify-self-start" onClick={reload}>
        Try again
      </Button>
    </section>
  );
}

function askedFor(toggles: FeaturesResponse | undefined): string {
  if (!toggles) return 'the toggles (GET api/admin/features)';
  return toggles.features.length > 0
    ? 'one toggle (GET api/admin/features/…)'
    : 'counts of calls (GET api/admin/metrics/feature-toggles)';
}

function Part({ label, endpoint, path }: (typeof PARTS)[number]) {
  const { data, error } = useRead(endpoint, { handlesFailure: true });
  const works = data !== undefined;
  const Icon = works ? Check : X;
  if (!works && !error) return <li className="text-faint">{label}: asking</li>;
  return (
    <li className="flex items-center gap-2">
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={works ? 'text-on' : 'text-danger'} />
      {works && path ? (
        <Link to={path} className="text-accent hover:underline">
          {label}
        </Link>
      ) : (
        <span>{label}</span>
      )}
      <span className="text-muted">{works ? 'works' : `does not work (${error?.status})`}</span>
    </li>
  );
}
