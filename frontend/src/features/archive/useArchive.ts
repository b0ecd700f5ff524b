// Archived toggles, and the way back.
import { archivedFeatures, features, reviveFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';

export function useArchive() {
  const { data, error, reload } = useRead(archivedFeatures);
  const { send } = useWrite();

  /** Whether the server agreed; the snackbar says why not. */
  function revive({ name }: Toggle): Promise<boolean> {
    const without = patch(archivedFeatures, (answer) => ({
      ...answer,
      features: answer.features.filter((one) => one.name !== name),
    }));
    return send(reviveFeature(name), { patches: () => [without], refreshes: [features] }).then(
      () => true,
      () => false,
    );
  }

  return { toggles: data?.features, error, reload, revive };
}
