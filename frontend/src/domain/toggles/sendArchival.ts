import { archivedFeatures, archiveFeature, featureEvents } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import type { useWrite } from '@/api/useWrite';
import { currentToggle, removeToggle } from '@/api/toggles';

interface Options {
  inline: boolean;
  /** Entity tag of the toggle. If another state is stored, the request fails with status 412. */
  ifMatch?: string | undefined;
}

/**
 * Archives a toggle, and updates the cached ones. Resolves with the last known state before it was archived: another user may
 * have changed it since the dialog opened. Undefined if the page does not know the toggle.
 */
export async function sendArchival(
  send: ReturnType<typeof useWrite>['send'],
  name: string,
  { inline, ifMatch }: Options,
): Promise<Toggle | undefined> {
  let archived = currentToggle(name);
  await send(archiveFeature(name), {
    patches: () => {
      // A read that ended first does not contain the toggle any more.
      archived = currentToggle(name) ?? archived;
      return [() => removeToggle(name)];
    },
    refreshes: [archivedFeatures, featureEvents(name)],
    inline,
    ifMatch,
  });
  return archived;
}
