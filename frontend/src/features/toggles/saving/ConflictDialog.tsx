import { useState } from 'react';
import { featureEvents, settings, strategies, user } from '@/api/endpoints';
import type { Event, Strategy, StrategyDefinition, Variant } from '@/api/generated/types';
import { useRead, useWrite } from '@/api/hooks';
import { isAuthor } from '@/api/profile';
import { describeStrategyChanges, describeVariantChanges } from '@/domain/changes/describeChanges';
import { findNewestEvent } from '@/domain/events/findNewestEvent';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { usePrompt } from '@/lib/prompt';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Time } from '@/ui/Time';
import type { MergeConflict, Side } from './mergeToggle';

interface Props {
  open: boolean;
  /** Name of the toggle. */
  name: string;
  conflicts: readonly MergeConflict[];
  event: Event | undefined;
  /** The save undoes an earlier change, instead of saving the user's edits. */
  isUndo: boolean;
  /** Called with the chosen side of each conflict. */
  onSave: (choices: ReadonlyMap<string, Side>) => void;
  /** Cancels the save. */
  onClose: () => void;
}

/** Dialog that shows both versions of each conflict. Changes without conflicts are already merged. */
function ConflictDialog({ open, name, conflicts, event, isUndo, onSave, onClose }: Props) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const isOwnEvent = useIsOwnEvent(event);
  const undecided = conflicts.filter(({ id }) => !choices.has(id)).length;
  return (
    <Dialog
      open={open}
      wide
      onClose={onClose}
      title={isUndo ? 'Later changes conflict with this undo' : editTitle(isOwnEvent)}
      actions={
        <>
          <Button onClick={onClose}>{isUndo ? 'Cancel' : 'Keep editing'}</Button>
          <Button
            variant="primary"
            disabledReason={undecided > 0 ? 'Choose a version for each conflict first.' : undefined}
            onClick={() => onSave(choices)}
          >
            {isUndo ? 'Undo change' : 'Save'}
          </Button>
        </>
      }
    >
      <p className="text-muted">
        <b className="wrap-anywhere text-text">{name}</b> was changed{' '}
        {event && (
          <>
            by <b className="wrap-anywhere text-text">{isOwnEvent ? 'you' : event.createdBy}</b>{' '}
            <Time value={event.createdAt} />
            {isUndo ? '. ' : ', '}
            {isOwnEvent && !isUndo && 'possibly in another tab, '}
          </>
        )}
        {isUndo
          ? 'Other later changes are kept. Choose which version to keep where they conflict.'
          : 'while you were editing. Other changes were merged. Choose which version to keep.'}
      </p>
      {conflicts.map((conflict) => (
        <Choice
          key={conflict.id}
          conflict={conflict}
          labels={isUndo ? UNDO_LABELS : EDIT_LABELS}
          chosen={choices.get(conflict.id)}
          onChoose={(side) => setChoices(new Map(choices).set(conflict.id, side))}
        />
      ))}
    </Dialog>
  );
}

function editTitle(isOwnEvent: boolean): string {
  return isOwnEvent ? 'You changed this toggle elsewhere' : 'This toggle changed while you were editing';
}

type SideLabels = { [side in Side]: string };

const EDIT_LABELS: SideLabels = { mine: 'Your version', theirs: 'Saved version' };
const UNDO_LABELS: SideLabels = { mine: 'Before this change', theirs: 'Current version' };

interface ChoiceProps {
  conflict: MergeConflict;
  labels: SideLabels;
  chosen: Side | undefined;
  onChoose: (side: Side) => void;
}

const SIDES: readonly Side[] = ['mine', 'theirs'];

function Choice({ conflict, labels, chosen, onChoose }: ChoiceProps) {
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
            <span className="grid min-w-0 flex-1 gap-1">
              <span className="font-semibold">{labels[side]}</span>
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
  const words = describeConflictSide(conflict, side, { definitions, locale: useLocale() });
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

type Choices = ReadonlyMap<string, Side>;

interface ConflictRequest {
  /** Name of the toggle. */
  name: string;
  conflicts: readonly MergeConflict[];
  /** The latest event of the toggle, if the server has one. */
  event: Event | undefined;
  /** The save undoes an earlier change. */
  isUndo: boolean;
}

export function useConflictDialog() {
  const { fetchFresh } = useWrite();
  const [prompt, state] = usePrompt<ConflictRequest, Choices>();

  /** Resolves with the chosen side of each conflict, or undefined if the save is cancelled. */
  async function ask(name: string, conflicts: readonly MergeConflict[], isUndo: boolean): Promise<Choices | undefined> {
    const log = await fetchFresh(featureEvents(name), { inline: true }).catch(() => undefined);
    const event = findNewestEvent(log?.events ?? []);
    return prompt.ask({ name, conflicts, event, isUndo });
  }

  const conflict = state && (
    // The key makes each request start without choices.
    <ConflictDialog
      key={state.number}
      open={state.open}
      {...state.question}
      onSave={prompt.answer}
      onClose={prompt.close}
    />
  );
  return { ask, conflict };
}

/** No limit of listed values: truncated descriptions of the two sides could be equal. */
const ALL = Number.POSITIVE_INFINITY;

interface Options {
  definitions: readonly StrategyDefinition[];
  /** Formats numbers. */
  locale: string;
}

/** Describes the changes of one side; undefined if both descriptions are equal and only the values differ. */
export function describeConflictSide(
  conflict: MergeConflict,
  side: Side,
  options: Options,
): readonly string[] | undefined {
  const words = changesOf(conflict, side, options);
  const others = changesOf(conflict, side === 'mine' ? 'theirs' : 'mine', options);
  return words?.join('\n') === others?.join('\n') ? undefined : words;
}

function changesOf(
  { kind, base, ...sides }: MergeConflict,
  side: Side,
  { definitions, locale }: Options,
): readonly string[] | undefined {
  const value = sides[side];
  if (value === undefined) return [kind === 'field' ? 'not set' : 'removed'];
  if (kind === 'order') return (value as string[]).map((name, index) => `${index + 1}. ${name}`);
  if (kind === 'strategy' && base)
    return describeStrategyChanges(base as Strategy, value as Strategy, definitions, ALL);
  if (kind === 'variant' && base) return variantWords([base as Variant], [value as Variant], locale);
  if (kind === 'variants') return variantWords(base as Variant[], value as Variant[], locale);
  if (typeof value === 'string') return [value === '' ? 'empty' : `“${value}”`];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  return undefined;
}

function variantWords(before: readonly Variant[], after: readonly Variant[], locale: string): string[] {
  return describeVariantChanges(before, after, { maxValues: ALL, locale }).flatMap(({ subject, changes }) =>
    changes.map((change) => (before.length === 1 && after.length === 1 ? change : `${subject}: ${change}`)),
  );
}

/** Returns whether the signed-in user made the change; false without sign-in, where all changes have one author. */
function useIsOwnEvent(event: Pick<Event, 'createdBy'> | undefined): boolean {
  const { data: me } = useRead(user);
  const { data: console } = useRead(settings);
  return Boolean(event && me && console?.signOut && isAuthor(me, event.createdBy));
}
