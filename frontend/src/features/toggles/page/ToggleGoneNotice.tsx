import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useReviveConfirmation } from '@/domain/toggles/useReviveConfirmation';
import { Button } from '@/ui/Button';
import { GONE_REASON } from './lockedReasons';
import { useRevive } from './useToggle';

interface Props {
  toggle: Toggle;
  isArchived: boolean;
  onDiscard: () => void;
}

/** Above unsaved edits of a toggle that another user archived or deleted: explains it and offers the ways forward. */
export function ToggleGoneNotice({ toggle, isArchived, onDiscard }: Props) {
  const reviveDisabledReason = usePermission('UPDATE_FEATURE');
  const { revive, reviving } = useRevive();
  const confirmation = useReviveConfirmation(revive);
  return (
    <div role="alert" className="mb-4 rounded-card border border-line bg-warn-soft p-4 text-warn">
      <p className="font-semibold">
        {isArchived ? 'This toggle was archived while you were editing it.' : GONE_REASON}
      </p>
      <p className="mt-1">
        Your unsaved changes are still on this page, but they cannot be saved.{' '}
        {isArchived
          ? 'Revive the toggle to save them, or copy them before you discard them.'
          : 'Copy them before you discard them.'}
      </p>
      <div className="mt-3 flex flex-wrap gap-2.5">
        {isArchived && (
          <Button
            variant="primary"
            busy={reviving}
            disabledReason={reviveDisabledReason}
            onClick={() => void confirmation.revive(toggle)}
          >
            Revive
          </Button>
        )}
        <Button onClick={onDiscard}>Discard changes</Button>
      </div>
      {confirmation.dialog}
    </div>
  );
}
