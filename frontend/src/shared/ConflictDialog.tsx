// The dialog of a save that meets a change of another user.
import { type ComponentType, useState } from 'react';
import type { Event } from '@/api/generated/types';
import { usePermissions } from '@/api/permissions';
import { cx } from '@/lib/cx';
import type { MergeConflict, Side } from '@/lib/merge';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Time } from '@/ui/Time';
import type { Choices } from './replaceMerged';
import type { ConflictOptions, ConflictRequest, DialogPurpose } from './useConflictDialog';
import { useIsOwnEvent } from './useIsOwnEvent';

export interface ChangesProps {
  conflict: MergeConflict;
  side: Side;
}

interface Props extends ConflictOptions, ConflictRequest {
  open: boolean;
  /** The latest change of the item, if the server has one. */
  event: Event | undefined;
  /** Called with the chosen side of each conflict. */
  onSave: (choices: Choices) => void;
  /** Cancels the save. */
  onClose: () => void;
}

/** Shows both versions of each conflict. Changes without conflicts are already merged. */
export function ConflictDialog({ open, onSave, onClose, ...request }: Props) {
  const { conflicts, purpose = 'edit', createPermission, event, Changes = ValueChanges } = request;
  const [choices, setChoices] = useState<Choices>(new Map());
  const isOwnEvent = useIsOwnEvent()(event);
  const permissionReason = usePermissions();
  const undecided = conflicts.filter(({ id }) => !choices.has(id)).length;
  const undecidedReason = undecided > 0 ? 'Choose a version for each conflict first.' : undefined;
  return (
    <Dialog
      open={open}
      wide
      onClose={onClose}
      title={titleOf(request, purpose, isOwnEvent)}
      actions={
        <>
          <Button onClick={onClose}>{hasForm(purpose) ? 'Keep editing' : 'Cancel'}</Button>
          <Button
            variant="primary"
            disabledReason={createPermission ? permissionReason(createPermission) : undecidedReason}
            onClick={() => onSave(choices)}
          >
            {createPermission ? 'Create it again' : SAVE_LABELS[purpose]}
          </Button>
        </>
      }
    >
      <Summary {...request} purpose={purpose} isOwnEvent={isOwnEvent} />
      {conflicts.map((conflict) => (
        <Choice
          key={conflict.id}
          conflict={conflict}
          labels={purpose === 'undo' ? UNDO_LABELS : EDIT_LABELS}
          chosen={choices.get(conflict.id)}
          onChoose={(side) => setChoices(new Map(choices).set(conflict.id, side))}
          Changes={Changes}
        />
      ))}
    </Dialog>
  );
}

/** Returns whether the user can return to a form. */
function hasForm(purpose: DialogPurpose): boolean {
  return purpose === 'edit' || purpose === 'decision';
}

function titleOf(
  { noun, createPermission }: Pick<Props, 'noun' | 'createPermission'>,
  purpose: DialogPurpose,
  isOwn: boolean,
): string {
  if (purpose === 'undo') return 'Later changes conflict with this undo';
  if (createPermission) return `This ${noun} was deleted while you were editing`;
  if (isOwn) return `You changed this ${noun} elsewhere`;
  return `This ${noun} changed ${hasForm(purpose) ? 'while you were editing' : 'meanwhile'}`;
}

const SAVE_LABELS: { [purpose in DialogPurpose]: string } = {
  edit: 'Save merged',
  command: 'Save merged',
  undo: 'Undo change',
  decision: 'Use this version',
};

const QUESTIONS: { [purpose in DialogPurpose]: string } = {
  edit: 'Choose which version to keep.',
  command: 'Choose which version to keep.',
  undo: 'Other later changes are kept. Choose which version to keep where they conflict.',
  decision: 'Choose which version to keep. This saves nothing yet.',
};

interface SummaryProps extends Pick<Props, 'name' | 'event' | 'taken' | 'createPermission'> {
  purpose: DialogPurpose;
  isOwnEvent: boolean;
}

function Summary({ name, event, purpose, taken = [], createPermission, isOwnEvent }: SummaryProps) {
  const wasEditing = hasForm(purpose);
  return (
    <p className="text-muted">
      <b className="wrap-anywhere text-text">{name}</b> was {createPermission ? 'deleted' : 'changed'}{' '}
      {event && (
        <>
          by <b className="wrap-anywhere text-text">{isOwnEvent ? 'you' : event.createdBy}</b>{' '}
          <Time value={event.createdAt} />
          {wasEditing ? ', ' : '. '}
          {wasEditing && isOwnEvent && 'possibly in another tab, '}
        </>
      )}
      {wasEditing && 'while you were editing. '}
      {!wasEditing && !event && 'meanwhile. '}
      {taken.length > 0 && purpose !== 'undo' && `Other changes were merged: ${taken.join(', ')}. `}
      {createPermission ? 'You can create it again with your changes.' : QUESTIONS[purpose]}
    </p>
  );
}

type SideLabels = { [side in Side]: string };

const EDIT_LABELS: SideLabels = { mine: 'Your version', theirs: 'Saved version' };
const UNDO_LABELS: SideLabels = { mine: 'Before this change', theirs: 'Current version' };

interface ChoiceProps {
  conflict: MergeConflict;
  labels: SideLabels;
  chosen: Side | undefined;
  onChoose: (side: Side) => void;
  Changes: ComponentType<ChangesProps>;
}

const SIDES: readonly Side[] = ['mine', 'theirs'];

function Choice({ conflict, labels, chosen, onChoose, Changes }: ChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 wrap-anywhere font-semibold">{conflict.subject}</legend>
      <div className="grid gap-2.5 sm:grid-cols-2">
        {SIDES.map((side) => (
          <label key={side} className={cx(OPTION, chosen === side && 'border-accent bg-accent-soft')}>
            <input
              type="radio"
              name={conflict.id}
              checked={chosen === side}
              onChange={() => onChoose(side)}
              className="mt-1"
            />
            <span className="grid min-w-0 flex-1 content-start gap-1">
              <span className="font-semibold">{labels[side]}</span>
              <Changes conflict={conflict} side={side} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const OPTION =
  'flex min-w-0 cursor-pointer gap-2.5 rounded-control border border-line-strong p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent';

function ValueChanges({ conflict, side }: ChangesProps) {
  return <ChangeLines lines={describeSide(conflict, side, describeValue)} value={conflict[side]} />;
}

interface ChangeLinesProps {
  /** Undefined if both descriptions are equal and only the values differ. */
  lines: readonly string[] | undefined;
  value: unknown;
}

export function ChangeLines({ lines, value }: ChangeLinesProps) {
  if (!lines) {
    return (
      <code className="wrap-anywhere max-h-60 overflow-y-auto whitespace-pre-wrap font-mono text-label text-muted">
        {JSON.stringify(value, null, 2)}
      </code>
    );
  }
  return (
    <span className="grid max-h-60 content-start gap-1 overflow-y-auto">
      {lines.map((line) => (
        <span key={line} className="wrap-anywhere text-muted text-secondary">
          {line}
        </span>
      ))}
    </span>
  );
}

type Describe = (value: unknown, conflict: MergeConflict) => readonly string[] | undefined;

/** Describes the changes of one side; undefined if both descriptions are equal and only the values differ. */
export function describeSide(conflict: MergeConflict, side: Side, describe: Describe): readonly string[] | undefined {
  const words = describe(conflict[side], conflict);
  const others = describe(conflict[side === 'mine' ? 'theirs' : 'mine'], conflict);
  return words?.join('\n') === others?.join('\n') ? undefined : words;
}

/** Describes the value of a field; undefined if only JSON can show it. */
export function describeValue(value: unknown, { base }: Pick<MergeConflict, 'base'>): readonly string[] | undefined {
  if (value === undefined || value === null) return ['not set'];
  if (typeof value === 'string') return [value === '' ? 'empty' : `“${value}”`];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  if (isTextList(value) && isTextList(base)) {
    const added = value.filter((entry) => !base.includes(entry));
    const removed = base.filter((entry) => !value.includes(entry));
    const lines = [...added.map((entry) => `+ ${entry}`), ...removed.map((entry) => `− ${entry}`)];
    return lines.length > 0 ? lines : [`order: ${value.join(', ')}`];
  }
  return undefined;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
