// Addons and the providers that they are instances of, and what can be done to them.
import { addons, createAddon, deleteAddon, tagTypes, updateAddon } from '@/api/endpoints';
import { offerUndo, pushInfo } from '@/api/errorList';
import type { Addon, AddonDraft } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { SaveCancelledError } from '@/shared/SaveCancelledError';

export function useAddons() {
  const { data, error, reload } = useRead(addons);
  return { addons: data?.addons, providers: data?.providers, error, reload };
}

const change = (edit: (all: Addon[]) => Addon[]) => [
  patch(addons, (answer) => ({ ...answer, addons: edit(answer.addons) })),
];

/** All throw, except where the snackbar tells. */
export function useAddonWrites() {
  const { run, look } = useWrite();

  /** As it is stored now; undefined where it is gone. */
  async function find(id: number, inline = true): Promise<Addon | undefined> {
    return (await look(addons, { inline })).addons.find((addon) => addon.id === id);
  }

  async function replace({ id, ...draft }: Addon, inline = true): Promise<void> {
    const stored = { id, ...draft };
    await run(updateAddon(id), {
      body: draft,
      patches: () => change((all) => all.map((one) => (one.id === id ? stored : one))),
      refreshes: [addons],
      inline,
    });
  }

  /** Into the addon as it is now: whatever else somebody changed stays. */
  async function flip(id: number, enabled: boolean): Promise<void> {
    const now = await find(id, false);
    if (!now) throw new SaveCancelledError('Somebody else removed the addon meanwhile.');
    await replace({ ...now, enabled }, false);
  }

  return {
    find,
    replace,
    async create(draft: AddonDraft): Promise<void> {
      // Providers bring tag types of their own.
      await run(createAddon, { body: draft, refreshes: [addons, tagTypes], inline: true });
    },
    /** Throws only what no call failed with. */
    async setEnabled(id: number, enabled: boolean, name: string): Promise<void> {
      await flip(id, enabled);
      offerUndo(`${name} ${enabled ? 'enabled' : 'disabled'}.`, () => flip(id, !enabled));
    },
    async remove({ id }: Addon, name: string): Promise<void> {
      await run(deleteAddon(id), {
        patches: () => change((all) => all.filter((one) => one.id !== id)),
        refreshes: [addons],
        inline: true,
      });
      pushInfo(`${name} removed.`);
    },
  };
}
