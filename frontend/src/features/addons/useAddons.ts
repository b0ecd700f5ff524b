// Reads and writes of addons, and their providers.
import { addons, createAddon, deleteAddon, tagTypes, updateAddon } from '@/api/endpoints';
import type { Addon, AddonDraft } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { offerUndo, pushInfo } from '@/api/notices';
import { SaveCancelledError } from '@/shared/SaveCancelledError';

export function useAddons() {
  const { data, error, reload } = useRead(addons);
  return { addons: data?.addons, providers: data?.providers, error, reload };
}

const change = (edit: (all: Addon[]) => Addon[]) => [patch(addons, (data) => ({ ...data, addons: edit(data.addons) }))];

/** All functions throw on failure. */
export function useAddonWrites() {
  const { send, fetchFresh } = useWrite();

  /** Reads the stored addon; undefined if it was removed. */
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

  /** Changes only `enabled` of the stored addon, so that changes of other users are kept. */
  async function switchAddon(id: number, enabled: boolean): Promise<void> {
    const stored = await find(id, false);
    if (!stored) throw new SaveCancelledError('The addon was not changed: another user has removed it.');
    await replace({ ...stored, enabled }, false);
  }

  return {
    find,
    replace,
    async create(draft: AddonDraft): Promise<void> {
      // Providers define tag types of their own.
      await send(createAddon, { body: draft, refreshes: [addons, tagTypes], inline: true });
    },
    /** Reports failed requests itself. */
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
