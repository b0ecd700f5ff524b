import type { Toggle } from '@/api/generated/types';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { countOf } from '../bulkWords';

interface Props {
  open: boolean;
  toggles: readonly Toggle[];
  onConfirm: () => void;
  onClose: () => void;
}

const NAMED = 5;

export function BulkArchiveDialog({ open, toggles, onConfirm, onClose }: Props) {
  const { length } = toggles;
  const more = length - NAMED;
  return (
    <ConfirmDialog
      open={open}
      title={`Archive ${countOf(length)}`}
      body={
        <>
          <p className="font-semibold text-text">
            Are you sure you want to remove {length === 1 ? 'this toggle' : `these ${length} toggles`}?
          </p>
          <ul className="mt-2 list-disc pl-5">
            {toggles.slice(0, NAMED).map(({ name }) => (
              <li key={name} className="wrap-anywhere">
                {name}
              </li>
            ))}
            {more > 0 && <li>and {more} more</li>}
          </ul>
          <p className="mt-2">
            Applications that still ask for them get their own fallback, which is mostly off. They can be revived from
            the archive.
          </p>
        </>
      }
      confirmLabel={`Archive ${countOf(length)}`}
      tone="danger"
      onConfirm={async () => onConfirm()}
      onClose={onClose}
    />
  );
}
