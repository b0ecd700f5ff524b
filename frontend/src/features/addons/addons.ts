// Reads and writes of addons. The callers write the notices, because the name of an addon depends on its provider.
import { addon, addons, createAddon, deleteAddon, tagTypes, updateAddon } from '@/api/endpoints';
import { useRead } from '@/api/useRead';
import { offerUndo } from '@/api/notices';
import { editableResource } from '@/api/resource';
import { retryIfChanged } from '@/shared/replaceMerged';
import { SaveCancelledError } from '@/shared/SaveCancelledError';

export const addonResource = editableResource({
  noun: 'addon',
  list: addons,
  items: (data) => data.addons,
  withItems: (data, items) => ({ ...data, addons: items }),
  id: ({ id }) => id,
  one: (id) => addon(Number(id)),
  create: createAddon,
  update: ({ id }) => updateAddon(id),
  toBody: ({ id, ...draft }) => draft,
  remove: ({ id }) => deleteAddon(id),
  // Providers define tag types of their own.
  affects: [tagTypes],
});

export function useAddons() {
  const { items, error, reload } = addonResource.useList();
  return { addons: items, providers: useRead(addons).data?.providers, error, reload };
}

/** Returns a function that enables or disables an addon and offers to undo it. The snackbar shows failed requests. */
export function useAddonSwitch(): (id: number, enabled: boolean, name: string) => Promise<void> {
  const { find, replace } = addonResource.useReplace({ inline: false });

  /**
   * Changes only `enabled` of the stored addon, so that changes of other users are kept. Of an undo, `undoneName` is the name of
   * the addon: it fails if another user has switched the addon since.
   */
  function switchAddon(id: number, enabled: boolean, undoneName?: string): Promise<void> {
    return retryIfChanged(async () => {
      const stored = await find(id);
      if (!stored) throw new SaveCancelledError('The addon was not changed: another user has removed it.');
      if (undoneName !== undefined && stored.item.enabled === enabled)
        throw new SaveCancelledError(
          `Nothing to undo: ${undoneName} was ${enabled ? 'enabled' : 'disabled'} in the meantime.`,
        );
      await replace({ ...stored.item, enabled }, stored.tag);
    }, 'the addon');
  }

  return async (id, enabled, name) => {
    await switchAddon(id, enabled);
    offerUndo(`${name} ${enabled ? 'enabled' : 'disabled'}.`, () => switchAddon(id, !enabled, name));
  };
}
