import type { Addon, AddonProvider } from '@/api/generated/types';
import { pushInfo } from '@/api/notices';
import { describeRemoval } from '@/ui/describeRemoval';
import { useConfirm } from '@/ui/useConfirm';
import { addons } from '../addons';
import { addonName } from '../rules';

export function useAddonRemoval(providers: readonly AddonProvider[]) {
  const remove = addons.useRemove();
  return useConfirm<Addon>((addon) => {
    const name = addonName(addon, providers);
    return describeRemoval({
      noun: addons.noun,
      name,
      consequences: (
        <>
          {addon.description ? `(${addon.description}) ` : ''}no longer receives events, and its secrets are deleted. To
          pause it, disable it instead.
        </>
      ),
      action: async () => {
        await remove(addon);
        pushInfo(`${name} removed.`);
      },
    });
  });
}
