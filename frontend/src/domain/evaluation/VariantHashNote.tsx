import { application } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { Application } from '@/api/generated/types';
import { useReadEach } from '@/api/useReadEach';
import { joinFirst } from '@/lib/text';
import { WarningIcon } from '@/ui/icons';
import { hasOldVariantSeed } from './variantSeed';

interface Props {
  /** Names of the applications that evaluate the toggle. */
  apps: readonly string[];
}

/** Applications to check. Each takes a request. */
const MAX_CHECKED = 20;
const MAX_NAMED = 3;

/** Warns if an application has reported a client library that selects other variants than the evaluation. */
export function VariantHashNote({ apps }: Props) {
  const affected = useOldLibraries(apps);
  if (affected.length === 0) return null;
  return (
    <p role="note" className="flex gap-2 rounded-control bg-warn-soft px-3 py-2 text-secondary text-warn">
      <WarningIcon size={15} className="mt-0.5 shrink-0" />
      <span className="wrap-anywhere min-w-0">
        {affected.length === 1 ? 'This application' : 'These applications'} can select other variants than shown here:{' '}
        {joinFirst(affected, MAX_NAMED)}. Client libraries before October 2023 hash the id in another way.
      </span>
    </p>
  );
}

/** Returns the applications with a client library that uses the old variant seed, such as `shop (unleash-client-node:4.2.1)`. */
export function useOldLibraries(apps: readonly string[]): readonly string[] {
  const checked = [...apps].sort().slice(0, MAX_CHECKED);
  const { outcomes = [] } = useReadEach(checked.length > 0 ? checked.map(application) : undefined);
  return outcomes.flatMap((outcome) => (outcome instanceof ApiError ? [] : describeOldLibrary(outcome)));
}

function describeOldLibrary({ appName, instances }: Application): string[] {
  const old = instances.find(({ sdkVersion }) => hasOldVariantSeed(sdkVersion ?? ''));
  return old ? [`${appName} (${old.sdkVersion})`] : [];
}
