// Changes of other users to strategies that are being edited: a note in the rule, and the comparison that it opens.
import { useState } from 'react';
import { read } from '@/api/client';
import { featureEvents } from '@/api/endpoints';
import type { Event, StrategyDefinition } from '@/api/generated/types';
import { useCombinedRead } from '@/api/useRead';
import { describeStrategyChanges } from '@/domain/changes/describeChanges';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import type { Side } from '@/lib/merge';
import { joinFirst } from '@/lib/text';
import { ConflictDialog } from '@/shared/useConflictDialog';
import { useIsOwnEvent } from '@/shared/useIsOwnEvent';
import { Button } from '@/ui/Button';
import { Time } from '@/ui/Time';
import { findChangeEvent, isOwnWrite } from '../saving/changeAuthor';
import { ToggleConflict } from '../saving/useToggleSave';
import type { TheirChange } from './useActivation';

/** Number of changes before "and n more". */
const MAX_CHANGES = 3;

export interface DescribedChange extends TheirChange {
  /** Undefined until the log is read. */
  author: string | undefined;
  /** The event of the change, if the log contains it. */
  event: Event | undefined;
  /** What changed; empty if the strategy was removed. */
  text: string;
}

/** Returns the changes with their authors. The log is read again for each change. */
export function useDescribedChanges(
  toggleName: string,
  changes: readonly TheirChange[],
  definitions: readonly StrategyDefinition[] | undefined,
): DescribedChange[] {
  const log = featureEvents(toggleName);
  const versions = JSON.stringify(changes.map(({ theirs }) => theirs ?? null));
  const { data, error } = useCombinedRead(changes.length > 0 ? [log.path, versions] : null, () => read(log));
  const isOwnEvent = useIsOwnEvent();
  const segmentName = useSegmentName(changes.flatMap(({ base, theirs }) => [base, theirs ?? base]));
  return changes.map((change) => {
    const event = data && findChangeEvent(data.events, change);
    const isHere = isOwnWrite(toggleName, change);
    const isKnown = isHere || data !== undefined || error !== undefined;
    return {
      ...change,
      event,
      author: isKnown ? describeAuthor(event, isHere, isOwnEvent(event)) : undefined,
      text: change.theirs
        ? joinFirst(describeStrategyChanges(change.base, change.theirs, { definitions, segmentName }), MAX_CHANGES)
        : '',
    };
  });
}

function describeAuthor(event: Event | undefined, isHere: boolean, isOwn: boolean): string {
  if (isHere) return 'You';
  if (isOwn) return 'You, in another window,';
  return event?.createdBy || 'Another user';
}

/** Announces the changes to screen readers. Always on the page: a live region that appears with its text is not announced. */
export function ChangeAnnouncement({ changes }: { changes: readonly DescribedChange[] }) {
  return (
    <span role="status" className="sr-only">
      {changes.map(({ key, author, theirs, text }) => (
        <span key={key}>
          {describeAction(author, theirs !== undefined)}
          {text && `: ${text}`}.{' '}
        </span>
      ))}
    </span>
  );
}

function describeAction(author: string | undefined, isChanged: boolean): string {
  const verb = isChanged ? 'changed' : 'removed';
  return author === undefined ? `This strategy was ${verb}` : `${author} ${verb} this strategy`;
}

interface NoteProps {
  toggleName: string;
  change: DescribedChange;
  onDecide: (key: number, side: Side) => void;
}

/** States the change in the rule of the edited strategy. It opens the comparison, and disappears with the change. */
export function TheirChangeNote({ toggleName, change, onDecide }: NoteProps) {
  const { key, author, event, theirs, text } = change;
  const [isOpen, setOpen] = useState(false);
  // A choice applies only to the version that is shown.
  const versionOf = (value: unknown) => encodeURIComponent(JSON.stringify(value ?? null));
  const conflicts = change.conflicts.map((one) => ({ ...one, id: `${one.id} ${versionOf(one.theirs)}` }));
  return (
    <div data-testid="their-change" className={NOTE}>
      <p className="wrap-anywhere min-w-0">
        {describeAction(author, theirs !== undefined)}
        {event && (
          <>
            {' '}
            <Time value={event.createdAt} />
          </>
        )}
        {text && <>: {text}</>}.{!theirs && ' Saving adds it again.'}
      </p>
      <Button
        variant="ghost"
        size="small"
        className="-my-0.5 h-6! shrink-0 px-1.5! text-accent! touch:h-touch!"
        onClick={() => setOpen(true)}
      >
        Show
      </Button>
      <ConflictDialog
        open={isOpen}
        purpose="decision"
        noun="toggle"
        name={toggleName}
        event={event}
        conflicts={conflicts}
        Changes={ToggleConflict}
        onSave={(choices) => {
          setOpen(false);
          onDecide(key, [...choices.values()].includes('mine') ? 'mine' : 'theirs');
        }}
        onClose={() => setOpen(false)}
      />
    </div>
  );
}

const NOTE =
  'col-start-2 col-end-4 mt-1.5 flex min-w-0 items-start justify-between gap-x-2 rounded-control border border-line-strong bg-surface py-1 pr-1 pl-2.5 text-secondary max-sm:col-start-1';
