import type { Toggle } from '@/api/generated/types';
import { andMore } from '@/lib/joinFirst';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { countToggles } from '../bulkMessages';

interface Props {
  open: boolean;
  toggles: readonly Toggle[];
  onConfirm: () => void;
  onClose: () => void;
}

const MAX_NAMES = 5;

export function BulkArchiveDialog({ open, toggles, onConfirm, onClose }: Props) {
  const { length } = toggles;
  const more = andMore(toggles, MAX_NAMES);
  return (
    <ConfirmDialog
      open={open}
      title={`Archive ${countToggles(length)}`}
      body={
        <>
          <p className="font-semibold text-text">
            Are you sure you want to remove {length === 1 ? 'this toggle' : `these ${length} toggles`}?
          </p>
          <ul className="mt-2 list-disc pl-5">
            {toggles.slice(0, MAX_NAMES).map(({ name }) => (
              <li key={name} className="wrap-anywhere">
                {name}
              </li>
            ))}
            {more && <li>{more}</li>}
          </ul>
          <p className="mt-2">
            Applications that still use them get their default value, usually off. You can revive them from the archive.
          </p>
        </>
      }
      confirmLabel={`Archive ${countToggles(length)}`}
      tone="danger"
      onConfirm={async () => onConfirm()}
      onClose={onClose}
    />
  );
}
