import { useState } from 'react';
import { strategies } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Time } from '@/ui/Time';
import { describeConflictSide } from './describeConflict';
import type { MergeConflict, Side } from './mergeToggle';
import { useIsOwnEvent } from './useIsOwnEvent';

interface Props {
  open: boolean;
  /** Name of the toggle. */
  name: string;
  conflicts: readonly MergeConflict[];
  event: Event | undefined;
  /** Called with the chosen side of each conflict. */
  onSave: (choices: ReadonlyMap<string, Side>) => void;
  /** Cancels the save. */
  onClose: () => void;
}

/** Dialog that shows both versions of each conflict. Changes without conflicts are already merged. */
export function ConflictDialog({ open, name, conflicts, event, onSave, onClose }: Props) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const isOwnEvent = useIsOwnEvent(event);
  const undecided = conflicts.filter(({ id }) => !choices.has(id)).length;
  return (
    <Dialog
      open={open}
      wide
      onClose={onClose}
      title={isOwnEvent ? 'You changed this toggle elsewhere' : 'This toggle changed while you were editing'}
      actions={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button
            variant="primary"
            disabledReason={undecided > 0 ? 'Choose a version for each conflict first.' : undefined}
            onClick={() => onSave(choices)}
          >
            Save
          </Button>
        </>
      }
    >
      <p className="text-muted">
        <b className="wrap-anywhere text-text">{name}</b> was changed{' '}
        {event && (
          <>
            by <b className="wrap-anywhere text-text">{isOwnEvent ? 'you' : event.createdBy}</b>{' '}
            <Time value={event.createdAt} />,{isOwnEvent && ' possibly in another tab,'}{' '}
          </>
        )}
        while you were editing. Other changes were merged. Choose which version to keep.
      </p>
      {conflicts.map((conflict) => (
        <Choice
          key={conflict.id}
          conflict={conflict}
          chosen={choices.get(conflict.id)}
          onChoose={(side) => setChoices(new Map(choices).set(conflict.id, side))}
        />
      ))}
    </Dialog>
  );
}

interface ChoiceProps {
  conflict: MergeConflict;
  chosen: Side | undefined;
  onChoose: (side: Side) => void;
}

const SIDES: readonly { side: Side; label: string }[] = [
  { side: 'mine', label: 'Your version' },
  { side: 'theirs', label: 'Saved version' },
];

function Choice({ conflict, chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 wrap-anywhere font-semibold">{conflict.subject}</legend>
      <div className="grid gap-2.5 sm:grid-cols-2">
        {SIDES.map(({ side, label }) => (
          <label key={side} className={cx(OPTION, chosen === side && 'border-accent bg-accent-soft')}>
            <input
              type="radio"
              name={conflict.id}
              checked={chosen === side}
              onChange={() => onChoose(side)}
              className="mt-1"
            />
            <span className="grid min-w-0 flex-1 gap-1">
              <span className="font-semibold">{label}</span>
              <Version conflict={conflict} side={side} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Version({ conflict, side }: { conflict: MergeConflict; side: Side }) {
  const definitions = useRead(strategies).data?.strategies ?? [];
  const words = describeConflictSide(conflict, side, definitions);
  if (words) {
    return (
      <span className="grid max-h-60 content-start gap-1 overflow-y-auto">
        {words.map((line) => (
          <span key={line} className="wrap-anywhere text-muted text-secondary">
            {line}
          </span>
        ))}
      </span>
    );
  }
  return (
    <code className="wrap-anywhere max-h-60 overflow-y-auto whitespace-pre-wrap font-mono text-label text-muted">
      {JSON.stringify(conflict[side], null, 2)}
    </code>
  );
}

const OPTION =
  'flex min-w-0 cursor-pointer gap-2.5 rounded-control border border-line-strong p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent';
