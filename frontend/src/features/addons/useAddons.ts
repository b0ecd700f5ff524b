// Addons and the providers that they are instances of, and what can be done to them.
import { addons, createAddon, deleteAddon, tagTypes, updateAddon } from '@/api/endpoints';
import type { Addon, AddonDraft } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { offerUndo, pushInfo } from '@/api/notices';
import { NotSaved } from '@/shared/NotSaved';

export function useAddons() {
  const { data, error, reload } = useRead(addons);
  return { addons: data?.addons, providers: data?.providers, error, reload };
}

const change = (edit: (all: Addon[]) => Addon[]) => [
  patch(addons, (answer) => ({ ...answer, addons: edit(answer.addons) })),
];

/** All throw, except where the snackbar tells. */
export function useAddonWrites() {
  const { send, fetchFresh } = useWrite();

  /** As it is stored now; undefined where it is gone. */
  async function find(id: number, inline = true): Promise<Addon | undefined> {
    return (await fetchFresh(addons, { inline })).addons.find((addon) => addon.id === id);
  }

  async function replace({ id, ...draft }: Addon, inline = true): Promise<void> {
    const stored = { id, ...draft };
    await send(updateAddon(id), {
      body: draft,
      patches: () => change((all) => all.map((one) => (one.id === id ? stored : one))),
      refreshes: [addons],
      inline,
    });
  }

  /** Into the addon as it is now: whatever else somebody changed stays. */
  async function switchAddon(id: number, enabled: boolean): Promise<void> {
    const now = await find(id, false);
    if (!now) throw new NotSaved('Somebody else removed the addon meanwhile.');
    await replace({ ...now, enabled }, false);
  }

  return {
    find,
    replace,
    async create(draft: AddonDraft): Promise<void> {
      // Providers bring tag types of their own.
      await send(createAddon, { body: draft, refreshes: [addons, tagTypes], inline: true });
    },
    /** Throws only what no call failed with. */
    async setEnabled(id: number, enabled: boolean, name: string): Promise<void> {
      await switchAddon(id, enabled);
      offerUndo(`${name} ${enabled ? 'enabled' : 'disabled'}.`, () => switchAddon(id, !enabled));
    },
    async remove({ id }: Addon, name: string): Promise<void> {
      await send(deleteAddon(id), {
        patches: () => change((all) => all.filter((one) => one.id !== id)),
        refreshes: [addons],
        inline: true,
      });
      pushInfo(`${name} removed.`);
    },
  };
}
