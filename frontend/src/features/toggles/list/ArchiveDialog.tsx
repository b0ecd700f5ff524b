import type { Toggle } from '@/api/generated/types';
import { ArchiveScope, UseSummary, UseText } from '@/domain/toggles/ToggleUses';
import { useToggleUses } from '@/domain/toggles/toggleUse';
import type { Prompt } from '@/lib/prompt';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { useToggleWrites } from '../saving/useToggleWrites';

interface Props {
  prompt: Prompt<Toggle>;
  toggle: Toggle;
  onArchived?: () => void;
}

export function ArchiveDialog({ prompt, toggle, onArchived }: Props) {
  const { archive } = useToggleWrites();
  const { uses, unknownReason } = useToggleUses([toggle]);
  return (
    <ConfirmDialog
      prompt={prompt}
      title={`Archive ${toggle.name}`}
      body={
        <>
          <p className="font-semibold text-text">Are you sure you want to remove this toggle?</p>
          <UseSummary uses={uses} unknownReason={unknownReason} />
          {uses.map((use) => (
            <UseText key={use.toggle.name} use={use} />
          ))}
          <p className="mt-2">
            Applications that still use <b className="wrap-anywhere text-text">{toggle.name}</b> get their default
            value, usually off. You can revive it from the archive.
          </p>
          <ArchiveScope />
        </>
      }
      confirmLabel="Archive"
      tone="danger"
      action={async () => {
        await archive(toggle.name);
        onArchived?.();
      }}
    />
  );
}
