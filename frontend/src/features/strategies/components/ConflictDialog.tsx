import { needs, usePermission } from '@/api/permissions';
import { jsonDiff } from '@/lib/jsonDiff';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { DiffList } from '@/ui/DiffList';
import { Time } from '@/ui/Time';
import type { Question } from '../useDefinitionConflict';

interface Props {
  open: boolean;
  question: Question;
}

/** What somebody else made of the definition, and whose version is to stay. */
export function ConflictDialog({ open, question }: Props) {
  const { base, stored, contested, answer } = question;
  const mayCreate = usePermission('CREATE_STRATEGY');
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
            disabledReason={stored || mayCreate ? undefined : needs('CREATE_STRATEGY')}
            onClick={() => answer('mine')}
          >
            {stored ? 'Save mine' : 'Create it again'}
          </Button>
        </>
      }
    >
      <Story question={question} />
      {stored && <DiffList diffs={jsonDiff(base, stored).filter(({ path }) => contested.includes(String(path[0])))} />}
    </Dialog>
  );
}

function Story({ question: { name, stored, event } }: { question: Question }) {
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
