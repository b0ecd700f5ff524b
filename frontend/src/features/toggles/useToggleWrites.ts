// What can be done to a toggle, and what each deed changes in the lists that are already read.
import { useMemo } from 'react';
import {
  archivedFeatures,
  archiveFeature,
  createFeature,
  featureEvents,
  features,
  reviveFeature,
  setFeatureStale,
  switchFeature,
} from '@/api/endpoints';
import type { Toggle, ToggleDraft } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { offerUndo } from '@/api/notices';
import { confirmSwitch } from '@/shared/confirmSwitch';
import { addToList, removeFromArchive, removeFromList, replaceInList } from './listPatches';

/** For deeds whose failure the snackbar tells: nothing is left to do about it here. */
const toldBySnackbar = () => undefined;

export function useToggleWrites() {
  const { send } = useWrite();
  return useMemo(() => {
    const flip = (toggle: Toggle, enabled: boolean) =>
      send(switchFeature(toggle.name, enabled), {
        patches: (answer) => replaceInList(answer ?? { ...toggle, enabled }),
        refreshes: [featureEvents(toggle.name)],
      });
    const mark = (toggle: Toggle, stale: boolean) =>
      send(setFeatureStale(toggle.name, stale), {
        patches: (answer) => replaceInList(answer ?? { ...toggle, stale }),
        refreshes: [featureEvents(toggle.name)],
      });
    const revive = async (toggle: Toggle) => {
      // Servers bring toggles back switched off.
      const patches = () => [...addToList({ ...toggle, enabled: false }), removeFromArchive(toggle)];
      await send(reviveFeature(toggle.name), { patches, refreshes: [featureEvents(toggle.name)] });
      if (toggle.enabled) await flip(toggle, true);
    };
    const flipIfConfirmed = async (toggle: Toggle, enabled: boolean) =>
      (await confirmSwitch(toggle.name, enabled)) && flip(toggle, enabled);
    return {
      async setEnabled(toggle: Toggle, enabled: boolean): Promise<void> {
        if (!(await confirmSwitch(toggle.name, enabled))) return;
        const told = () =>
          offerUndo(`${toggle.name} switched ${enabled ? 'on' : 'off'}.`, () => flipIfConfirmed(toggle, !enabled));
        await flip(toggle, enabled).then(told, toldBySnackbar);
      },
      async setStale(toggle: Toggle, stale: boolean): Promise<void> {
        const told = () =>
          offerUndo(`${toggle.name} marked as ${stale ? 'Stale' : 'Active'}.`, () => mark(toggle, !stale));
        await mark(toggle, stale).then(told, toldBySnackbar);
      },
      /** Throws: the dialog that asked for it shows why. */
      async archive(toggle: Toggle): Promise<void> {
        await send(archiveFeature(toggle.name), {
          patches: () => removeFromList(toggle),
          refreshes: [archivedFeatures],
          inline: true,
        });
        offerUndo(`${toggle.name} archived.`, () => revive(toggle));
      },
      /** Throws: the form shows why. */
      async create(body: ToggleDraft): Promise<void> {
        await send(createFeature, {
          body,
          patches: (answer) => (answer ? addToList(answer) : []),
          refreshes: [features],
          inline: true,
        });
      },
    };
  }, [send]);
}
