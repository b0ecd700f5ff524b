import type { Toggle } from '@/api/generated/types';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { useToggleWrites } from '../saving/useToggleWrites';

interface Props {
  toggle: Toggle | undefined;
  open: boolean;
  onClose: () => void;
  onArchived?: () => void;
}

export function ArchiveDialog({ toggle, open, onClose, onArchived }: Props) {
  const { archive } = useToggleWrites();
  return (
    <ConfirmDialog
      open={open}
      title={`Archive ${toggle?.name ?? 'toggle'}`}
      body={
        <>
          <p className="font-semibold text-text">Are you sure you want to remove this toggle?</p>
          <p className="mt-2">
            Applications that still use <b className="wrap-anywhere text-text">{toggle?.name}</b> get their default
            value, usually off. You can revive it from the archive.
          </p>
        </>
      }
      confirmLabel="Archive"
      tone="danger"
      onConfirm={async () => {
        if (toggle) await archive(toggle);
        onArchived?.();
      }}
      onClose={onClose}
    />
  );
}
