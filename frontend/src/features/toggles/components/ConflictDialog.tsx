import { useState } from 'react';
import { strategies } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Time } from '@/ui/Time';
import { sideWords } from '../collisionWords';
import type { Collision, Side } from '../merge';
import { useIsMine } from '../useIsMine';

interface Props {
  open: boolean;
  /** Of the toggle. */
  name: string;
  collisions: readonly Collision[];
  event: Event | undefined;
  /** With a side for each collision, or without any to save nothing. */
  answer: (choices: ReadonlyMap<string, Side> | undefined) => void;
}

/** Side by side what two people made of the same thing. What does not collide is kept of both. */
export function ConflictDialog({ open, name, collisions, event, answer }: Props) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const mine = useIsMine(event);
  const undecided = collisions.filter(({ id }) => !choices.has(id)).length;
  return (
    <Dialog
      open={open}
      wide
      onClose={() => answer(undefined)}
      title={mine ? 'You changed the same elsewhere' : 'Somebody else changed the same'}
      actions={
        <>
          <Button onClick={() => answer(undefined)}>Keep editing</Button>
          <Button
            variant="primary"
            disabledReason={undecided > 0 ? 'Choose one side of each first.' : undefined}
            onClick={() => answer(choices)}
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
            by <b className="wrap-anywhere text-text">{mine ? 'you' : event.createdBy}</b>{' '}
            <Time value={event.createdAt} />,{mine && ' in another tab perhaps,'}{' '}
          </>
        )}
        while you were editing. Everything else goes together; choose what holds here.
      </p>
      {collisions.map((collision) => (
        <Choice
          key={collision.id}
          collision={collision}
          chosen={choices.get(collision.id)}
          onChoose={(side) => setChoices(new Map(choices).set(collision.id, side))}
        />
      ))}
    </Dialog>
  );
}

interface ChoiceProps {
  collision: Collision;
  chosen: Side | undefined;
  onChoose: (side: Side) => void;
}

const SIDES: readonly { side: Side; label: string }[] = [
  { side: 'mine', label: 'Mine' },
  { side: 'theirs', label: 'Theirs' },
];

function Choice({ collision, chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 wrap-anywhere font-semibold">{collision.subject}</legend>
      <div className="grid gap-2.5 sm:grid-cols-2">
        {SIDES.map(({ side, label }) => (
          <label key={side} className={cx(OPTION, chosen === side && 'border-accent bg-accent-soft')}>
            <input
              type="radio"
              name={collision.id}
              checked={chosen === side}
              onChange={() => onChoose(side)}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span className="grid min-w-0 flex-1 gap-1">
              <span className="font-semibold">{label}</span>
              <Version collision={collision} side={side} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Version({ collision, side }: { collision: Collision; side: Side }) {
  const definitions = useRead(strategies).data?.strategies ?? [];
  const words = sideWords(collision, side, definitions);
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
      {JSON.stringify(collision[side], null, 2)}
    </code>
  );
}

const OPTION =
  'flex min-w-0 cursor-pointer gap-2.5 rounded-control border border-line-strong p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent';
