// Reads archived toggles and revives them.
import { archivedFeatures, features, reviveFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import type { NewerArchive } from '@/api/newerTypes';

export function useArchive() {
  const { data, error, reload } = useRead(archivedFeatures);
  const { send } = useWrite();

  /** Revives a toggle and resolves with whether it succeeded. Errors are shown in the snackbar. */
  function revive({ name }: Toggle): Promise<boolean> {
    const without = patch(archivedFeatures, (response) => ({
      ...response,
      features: response.features.filter((one) => one.name !== name),
    }));
    return send(reviveFeature(name), { patches: () => [without], refreshes: [features] }).then(
      () => true,
      () => false,
    );
  }

  const { total }: Partial<NewerArchive> = data ?? {};
  return { toggles: data?.features, total, error, reload, revive };
}
