import { application } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { Application } from '@/api/generated/types';
import { useReadEach } from '@/api/useReadEach';
import { type FirstVersions, isOlderSdk } from './sdkVersion';

/** Applications to check. Each takes a request. */
const MAX_CHECKED = 20;

/** Returns the applications with a client library that is older, such as `shop (unleash-client-node:4.2.1)`. */
export function useOldLibraries(apps: readonly string[], firstVersions: FirstVersions): readonly string[] {
  const checked = [...apps].sort().slice(0, MAX_CHECKED);
  const { outcomes = [] } = useReadEach(checked.length > 0 ? checked.map(application) : undefined);
  return outcomes.flatMap((outcome) => (outcome instanceof ApiError ? [] : describeOldLibrary(outcome, firstVersions)));
}

function describeOldLibrary({ appName, instances }: Application, firstVersions: FirstVersions): string[] {
  const old = instances.find(({ sdkVersion }) => isOlderSdk(sdkVersion ?? '', firstVersions));
  return old ? [`${appName} (${old.sdkVersion})`] : [];
}
