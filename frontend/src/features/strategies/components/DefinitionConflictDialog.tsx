import type { StrategyDefinition } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Time } from '@/ui/Time';
import { describeDefinitionChanges } from '../describeDefinitionChanges';
import type { PendingConflict, Resolution } from '../useDefinitionConflict';

interface Props {
  open: boolean;
  conflict: PendingConflict;
  onResolve: (resolution: Resolution) => void;
  /** Continues the edit. */
  onClose: () => void;
}

/** Shown when a definition was changed or deleted by another user while it was edited. */
export function DefinitionConflictDialog({ open, conflict, onResolve, onClose }: Props) {
  const { mine, stored } = conflict;
  const createDisabledReason = usePermission('CREATE_STRATEGY');
  return (
    <Dialog
      open={open}
      wide
      onClose={onClose}
      title={
        stored ? 'This strategy changed while you were editing' : 'This strategy was deleted while you were editing'
      }
      actions={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          {stored && <Button onClick={() => onResolve('theirs')}>Take theirs</Button>}
          <Button
            variant="dangerPrimary"
            disabledReason={stored ? undefined : createDisabledReason}
            onClick={() => onResolve('mine')}
          >
            {stored ? 'Save mine' : 'Create it again'}
          </Button>
        </>
      }
    >
      <ConflictSummary conflict={conflict} />
      {stored && (
        <div className="grid gap-2.5 sm:grid-cols-2">
          <VersionChanges label="Mine" {...conflict} edited={mine} other={stored} />
          <VersionChanges label="Theirs" {...conflict} edited={stored} other={mine} />
        </div>
      )}
    </Dialog>
  );
}

function ConflictSummary({ conflict: { name, stored, event } }: { conflict: PendingConflict }) {
  return (
    <p className="text-muted">
      <b className="wrap-anywhere text-text">{name}</b> was {stored ? 'changed' : 'deleted'}{' '}
      {event && (
        <>
          by <b className="wrap-anywhere text-text">{event.createdBy}</b> <Time value={event.createdAt} />,{' '}
        </>
      )}
      while you were editing.{' '}
      {stored
        ? '“Save mine” overwrites the changes below and keeps the other changes. “Take theirs” discards your changes.'
        : 'You can create it again with your changes.'}
    </p>
  );
}

interface VersionProps extends Pick<PendingConflict, 'base' | 'contested'> {
  label: string;
  edited: StrategyDefinition;
  /** The definition of the other user. */
  other: StrategyDefinition;
}

/** The changes of one user. If both descriptions are equal, the values are shown as JSON. */
function VersionChanges({ label, base, contested, edited, other }: VersionProps) {
  const changes = describeDefinitionChanges(base, edited, contested);
  const isAlike = changes.join('\n') === describeDefinitionChanges(base, other, contested).join('\n');
  return (
    <section aria-label={label} className="min-w-0 rounded-control border border-line-strong p-3">
      <h3 className="mb-1 font-semibold">{label}</h3>
      <div className="max-h-60 overflow-y-auto wrap-anywhere text-muted text-secondary">
        {isAlike ? (
          <code className="whitespace-pre-wrap font-mono text-label">
            {JSON.stringify(edited, [...contested, 'name', 'type', 'description', 'required'], 2)}
          </code>
        ) : (
          <ul className="grid gap-1">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
