import { usePermission, useProfile } from '@/api/permissions';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { ARCHIVED_REASON } from './lockedReasons';

/** Below the title of a toggle that the user cannot change, with the reason. Not for an outage, which has its own banner. */
export function ToggleReadOnlyNote({ isArchived = false }: { isArchived?: boolean }) {
  const permissionReason = usePermission('UPDATE_FEATURE', { ignoresOutage: true });
  // Not while the profile is loading: a note that appears briefly would shift the page.
  const isKnown = useProfile() !== undefined;
  const reason = isArchived ? ARCHIVED_REASON : isKnown && permissionReason;
  return (
    reason && (
      <div className="-mt-1 mb-4">
        <ReadOnlyNote reason={reason} />
      </div>
    )
  );
}
