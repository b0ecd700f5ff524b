import { useCapabilities } from '@/api/capabilities';
import { useNewerServer } from '@/api/environment';
import type { Toggle } from '@/api/generated/types';
import type { Prompt } from '@/lib/prompt';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { useToggleWrites } from '../saving/useToggleWrites';
import { UseSummary, UseText } from './ToggleUses';
import { useToggleUses } from './toggleUse';

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
        await archive(toggle);
        onArchived?.();
      }}
    />
  );
}

/** Sentence of the archive dialogs about environments; nothing on servers without them. */
export function ArchiveScope() {
  const server = useNewerServer();
  const { reviveStaysOff } = useCapabilities();
  if (!server) return null;
  const names = server.environments.map(({ name }) => name);
  return (
    <p className="mt-2">
      Archiving applies to all environments{names.length > 0 && ` (${names.join(', ')})`}.
      {reviveStaysOff && ' A revived toggle is off in every environment.'}
    </p>
  );
}
