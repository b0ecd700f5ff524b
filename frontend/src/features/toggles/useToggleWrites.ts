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
import { patch, useWrite } from '@/api/hooks';

function change(edit: (toggles: Toggle[]) => Toggle[]) {
  return [patch(features, (answer) => ({ ...answer, features: edit(answer.features) }))];
}

const replace = (toggle: Toggle) => change((all) => all.map((one) => (one.name === toggle.name ? toggle : one)));
const remove = ({ name }: Toggle) => change((all) => all.filter((one) => one.name !== name));
const add = (toggle: Toggle) => change((all) => [...all.filter(({ name }) => name !== toggle.name), toggle]);
const removeArchived = ({ name }: Toggle) =>
  patch(archivedFeatures, (answer) => ({ ...answer, features: answer.features.filter((one) => one.name !== name) }));

/** For deeds whose failure the snackbar tells: nothing is left to do about it here. */
const toldBySnackbar = () => undefined;

export function useToggleWrites() {
  const { run } = useWrite();
  return useMemo(() => {
    const flip = (toggle: Toggle, enabled: boolean) =>
      run(switchFeature(toggle.name, enabled), {
        patches: (answer) => replace(answer ?? { ...toggle, enabled }),
        refreshes: [eventsOf(toggle.name)],
      });
    const mark = (toggle: Toggle, stale: boolean) =>
      run(markFeature(toggle.name, stale), {
        patches: (answer) => replace(answer ?? { ...toggle, stale }),
        refreshes: [eventsOf(toggle.name)],
      });
    const revive = async (toggle: Toggle) => {
      // Servers bring toggles back switched off.
      const patches = () => [...add({ ...toggle, enabled: false }), removeArchived(toggle)];
      await run(reviveFeature(toggle.name), { patches, refreshes: [eventsOf(toggle.name)] });
      if (toggle.enabled) await flip(toggle, true);
    };
    return {
      async setEnabled(toggle: Toggle, enabled: boolean): Promise<void> {
        const told = () =>
          offerUndo(`${toggle.name} switched ${enabled ? 'on' : 'off'}.`, () => flip(toggle, !enabled));
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
          patches: () => remove(toggle),
          refreshes: [archivedFeatures],
          inline: true,
        });
        offerUndo(`${toggle.name} archived.`, () => revive(toggle));
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
    };
  }, [run]);
}
