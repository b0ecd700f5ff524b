// What can be done to a toggle, and what each deed changes in the lists that are already read.
import { useMemo } from 'react';
import {
  archivedFeatures,
  archiveFeature,
  createFeature,
  eventsOf,
  features,
  markFeature,
  reviveFeature,
  switchFeature,
} from '@/api/endpoints';
import { offerUndo } from '@/api/errorList';
import type { Toggle, ToggleDraft } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { confirmSwitch } from '@/shared/confirmSwitch';
import { addToList, removeFromArchive, removeFromList, replaceInList } from './listPatches';
import { assertHasStrategy } from './rules';

/** For deeds whose failure the snackbar tells: nothing is left to do about it here. */
const toldBySnackbar = () => undefined;

export function useToggleWrites() {
  const { run } = useWrite();
  return useMemo(() => {
    const flip = (toggle: Toggle, enabled: boolean) =>
      run(switchFeature(toggle.name, enabled), {
        patches: (answer) => replaceInList(answer ?? { ...toggle, enabled }),
        refreshes: [eventsOf(toggle.name)],
      });
    const mark = (toggle: Toggle, stale: boolean) =>
      run(markFeature(toggle.name, stale), {
        patches: (answer) => replaceInList(answer ?? { ...toggle, stale }),
        refreshes: [eventsOf(toggle.name)],
      });
    const revive = async (toggle: Toggle) => {
      // Servers bring toggles back switched off.
      const patches = () => [...addToList({ ...toggle, enabled: false }), removeFromArchive(toggle)];
      await run(reviveFeature(toggle.name), { patches, refreshes: [eventsOf(toggle.name)] });
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
        await run(archiveFeature(toggle.name), {
          patches: () => removeFromList(toggle),
          refreshes: [archivedFeatures],
          inline: true,
        });
        offerUndo(`${toggle.name} archived.`, () => revive(toggle));
      },
      /** Throws: the form shows why. */
      async create(body: ToggleDraft): Promise<void> {
        assertHasStrategy(body);
        await run(createFeature, {
          body,
          patches: (answer) => (answer ? addToList(answer) : []),
          refreshes: [features],
          inline: true,
        });
      },
    };
  }, [run]);
}
