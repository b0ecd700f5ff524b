import type { Addon, AddonProvider } from '@/api/generated/types';
import { RemoveDialog } from '@/ui/RemoveDialog';
import { addonName } from '../rules';
import { useAddonWrites } from '../useAddons';

interface Props {
  addon: Addon | undefined;
  providers: readonly AddonProvider[];
  open: boolean;
  onClose: () => void;
}

export function RemoveAddon({ addon, providers, open, onClose }: Props) {
  const { remove } = useAddonWrites();
  const name = addon && addonName(addon, providers);
  return (
    <RemoveDialog
      open={open}
      noun="addon"
      name={name}
      onRemove={async () => {
        if (addon && name !== undefined) await remove(addon, name);
      }}
      onClose={onClose}
    >
      {addon?.description ? `(${addon.description}) ` : ''}no longer receives events, and its secrets are deleted. To
      pause it, disable it instead.
    </RemoveDialog>
  );
}
