import { archivedFeatures, archiveFeature, featureEvents } from '@/api/endpoints';
import type { useWrite } from '@/api/useWrite';
import { removeToggle } from '@/api/toggles';

interface Options {
  inline: boolean;
  /** Entity tag of the toggle. If another state is stored, the request fails with status 412. */
  ifMatch?: string | undefined;
}

/** Archives a toggle, and updates the cached ones. */
export function sendArchival(
  send: ReturnType<typeof useWrite>['send'],
  name: string,
  { inline, ifMatch }: Options,
): Promise<unknown> {
  return send(archiveFeature(name), {
    patches: () => [() => removeToggle(name)],
    refreshes: [archivedFeatures, featureEvents(name)],
    inline,
    ifMatch,
  });
}
