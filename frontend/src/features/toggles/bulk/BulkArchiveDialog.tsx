import type { Toggle } from '@/api/generated/types';
import { andMore } from '@/lib/joinFirst';
import type { Prompt } from '@/lib/prompt';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { ArchiveScope } from '../list/ArchiveScope';
import { countToggles } from './bulkMessages';

interface Props {
  prompt: Prompt<readonly Toggle[]>;
  toggles: readonly Toggle[];
  onConfirm: () => Promise<void>;
}

const MAX_NAMES = 5;

export function BulkArchiveDialog({ prompt, toggles, onConfirm }: Props) {
  const { length } = toggles;
  const more = andMore(toggles, MAX_NAMES);
  return (
    <ConfirmDialog
      prompt={prompt}
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
          <ArchiveScope />
        </>
      }
      confirmLabel={`Archive ${countToggles(length)}`}
      tone="danger"
      action={onConfirm}
    />
  );
}
