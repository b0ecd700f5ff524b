import type { StrategyDefinition } from '@/api/generated/types';
import { useDisabledReason } from '@/api/permissions';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Time } from '@/ui/Time';
import { describeDefinitionChanges } from '../describeDefinitionChanges';
import type { PendingConflict } from '../useDefinitionConflict';

interface Props {
  open: boolean;
  question: PendingConflict;
}

/** What somebody else made of the definition, and whose version is to stay. */
export function DefinitionConflictDialog({ open, question }: Props) {
  const { mine, stored, answer } = question;
  const createDisabledReason = useDisabledReason('CREATE_STRATEGY');
  return (
    <Dialog
      open={open}
      wide
      onClose={() => answer(undefined)}
      title={stored ? 'Somebody else changed the same' : 'Somebody else deleted it'}
      actions={
        <>
          <Button onClick={() => answer(undefined)}>Keep editing</Button>
          {stored && <Button onClick={() => answer('theirs')}>Take theirs</Button>}
          <Button
            variant="dangerPrimary"
            disabledReason={stored ? undefined : createDisabledReason}
            onClick={() => answer('mine')}
          >
            {stored ? 'Save mine' : 'Create it again'}
          </Button>
        </>
      }
    >
      <ConflictSummary question={question} />
      {stored && (
        <div className="grid gap-2.5 sm:grid-cols-2">
          <VersionChanges label="Mine" {...question} edited={mine} other={stored} />
          <VersionChanges label="Theirs" {...question} edited={stored} other={mine} />
        </div>
      )}
    </Dialog>
  );
}

function ConflictSummary({ question: { name, stored, event } }: { question: PendingConflict }) {
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
        ? 'Saving yours takes back what follows and keeps the rest; taking theirs drops what you typed.'
        : 'It can be created again from what you typed.'}
    </p>
  );
}

interface VersionProps extends Pick<PendingConflict, 'base' | 'contested'> {
  label: string;
  edited: StrategyDefinition;
  /** The other side. */
  other: StrategyDefinition;
}

/** What one side changed. Two sides that read alike are shown as JSON, which always shows how they differ. */
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
