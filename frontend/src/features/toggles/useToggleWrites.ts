// What can be done to a toggle, and what each deed changes in the lists that are already read.
import { useMemo } from 'react';
import {
  archivedFeatures,
  archiveFeature,
  createFeature,
  eventsOf,
  features,
  markFeature,
  switchFeature,
} from '@/api/endpoints';
import { pushInfo } from '@/api/errorList';
import type { Toggle, ToggleDraft } from '@/api/generated/types';
import { patch, useWrite } from '@/api/hooks';

function change(edit: (toggles: Toggle[]) => Toggle[]) {
  return [patch(features, (answer) => ({ ...answer, features: edit(answer.features) }))];
}

const replace = (toggle: Toggle) => change((all) => all.map((one) => (one.name === toggle.name ? toggle : one)));
const remove = ({ name }: Toggle) => change((all) => all.filter((one) => one.name !== name));
const add = (toggle: Toggle) => change((all) => [...all.filter(({ name }) => name !== toggle.name), toggle]);

/** For deeds whose failure the snackbar tells: nothing is left to do about it here. */
const toldBySnackbar = () => undefined;

export function useToggleWrites() {
  const { run } = useWrite();
  return useMemo(
    () => ({
      async setEnabled(toggle: Toggle, enabled: boolean): Promise<void> {
        const patches = (answer?: Toggle) => replace(answer ?? { ...toggle, enabled });
        await run(switchFeature(toggle.name, enabled), { patches, refreshes: [eventsOf(toggle.name)] }).catch(
          toldBySnackbar,
        );
      },
      async setStale(toggle: Toggle, stale: boolean): Promise<void> {
        const patches = (answer?: Toggle) => replace(answer ?? { ...toggle, stale });
        const told = () => pushInfo(`${toggle.name} marked as ${stale ? 'Stale' : 'Active'}.`);
        await run(markFeature(toggle.name, stale), { patches, refreshes: [eventsOf(toggle.name)] }).then(
          told,
          toldBySnackbar,
        );
      },
      /** Throws: the dialog that asked for it shows why. */
      async archive(toggle: Toggle): Promise<void> {
        await run(archiveFeature(toggle.name), {
          patches: () => remove(toggle),
          refreshes: [archivedFeatures],
          inline: true,
        });
        pushInfo(`${toggle.name} archived.`);
      },
      /** Throws: the form shows why. */
      async create(body: ToggleDraft): Promise<void> {
        await run(createFeature, {
          body,
          patches: (answer) => (answer ? add(answer) : []),
          refreshes: [features],
          inline: true,
        });
      },
    }),
    [run],
  );
}
