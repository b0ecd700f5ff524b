import { useCapabilities } from '@/api/capabilities';
import { usePermission, useProfile } from '@/api/permissions';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { ARCHIVED_REASON } from './lockedReasons';

/** Above the tab of a toggle that the user cannot change, with the reason. Not for an outage, which has its own banner. */
export function ToggleReadOnlyNote() {
  const reason = usePermission('UPDATE_FEATURE', { ignoresOutage: true });
  const otherReasons = [
    usePermission('UPDATE_FEATURE_ENVIRONMENT', { ignoresOutage: true }),
    usePermission('UPDATE_FEATURE_STRATEGY', { ignoresOutage: true }),
  ];
  // Not while the profile is loading: a note that appears briefly would shift the page.
  const isKnown = useProfile() !== undefined;
  return (
    isKnown &&
    reason &&
    !otherReasons.includes(undefined) && (
      <div className={POSITION}>
        <ReadOnlyNote reason={reason} />
      </div>
    )
  );
}

export function ArchivedNote() {
  const staysOff = useCapabilities().reviveStaysOff;
  return (
    <div className={POSITION}>
      <ReadOnlyNote reason={ARCHIVED_REASON} />
      <p className="mt-1 text-muted text-secondary">
        Applications that use an archived toggle get their default value. Reviving it restores it with all its settings
        {staysOff && ', off in every environment'}.
      </p>
    </div>
  );
}

const POSITION = '-mt-2 mb-4';
