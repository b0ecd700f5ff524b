// Conflict dialog of a save whose definition was changed by another user meanwhile.
import type { ReactNode } from 'react';
import { events } from '@/api/endpoints';
import type { Event, ParameterDefinition, StrategyDefinition } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { usePermission } from '@/api/permissions';
import { describeFieldChanges } from '@/domain/changes/describeChanges';
import { findNewestEvent } from '@/domain/events/findNewestEvent';
import { usePrompt } from '@/lib/prompt';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Time } from '@/ui/Time';

interface DefinitionConflict {
  name: string;
  /** The definition before both edits. */
  base: StrategyDefinition;
  /** The definition with this user's changes. */
  mine: StrategyDefinition;
  /** The definition with the other user's changes; undefined if it was deleted. */
  stored: StrategyDefinition | undefined;
  /** Fields that both users changed. */
  contested: readonly string[];
}

type Resolution = 'mine' | 'theirs';
/** Asks the user. Resolves with undefined if the user continues to edit. */
export type ResolveDefinitionConflict = (conflict: DefinitionConflict) => Promise<Resolution | undefined>;

export interface PendingConflict extends DefinitionConflict {
  /** The newest change in the server's event log; undefined if there is none. */
  event: Event | undefined;
}

export function useDefinitionConflict(): { resolveConflict: ResolveDefinitionConflict; conflictDialog: ReactNode } {
  const { fetchFresh } = useWrite();
  const [prompt, state] = usePrompt<PendingConflict, Resolution>();

  async function resolveConflict(conflict: DefinitionConflict): Promise<Resolution | undefined> {
    const log = await fetchFresh(events, { inline: true }).catch(() => undefined);
    const event = findNewestEvent(
      (log?.events ?? []).filter(({ type, data }) => type.startsWith('strategy-') && data?.['name'] === conflict.name),
    );
    return prompt.ask({ ...conflict, event });
  }

  const conflictDialog = state && (
    <DefinitionConflictDialog
      open={state.open}
      conflict={state.question}
      onResolve={prompt.answer}
      onClose={prompt.close}
    />
  );
  return { resolveConflict, conflictDialog };
}

interface DefinitionConflictDialogProps {
  open: boolean;
  conflict: PendingConflict;
  onResolve: (resolution: Resolution) => void;
  /** Continues the edit. */
  onClose: () => void;
}

/** Shown when a definition was changed or deleted by another user while it was edited. */
function DefinitionConflictDialog({ open, conflict, onResolve, onClose }: DefinitionConflictDialogProps) {
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

/** Describes the changes of the given fields, one line each. */
export function describeDefinitionChanges(
  before: StrategyDefinition,
  after: StrategyDefinition,
  fields: readonly string[],
): string[] {
  return fields.flatMap((field) =>
    field === 'parameters'
      ? parameterChanges(before.parameters, after.parameters)
      : describeFieldChanges(only(before, field), only(after, field)),
  );
}

function only(definition: object, field: string): object {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => key === field));
}

function parameterChanges(before: readonly ParameterDefinition[], after: readonly ParameterDefinition[]): string[] {
  const find = (list: readonly ParameterDefinition[], name: string) => list.find((one) => one.name === name);
  const added = after
    .filter(({ name }) => !find(before, name))
    .map((one) => `parameter ${one.name} added: ${facts(one)}`);
  const removed = before.filter(({ name }) => !find(after, name)).map(({ name }) => `parameter ${name} removed`);
  const changed = after.flatMap((one) => {
    const old = find(before, one.name);
    return old ? describeFieldChanges(old, one).map((change) => `parameter ${one.name}: ${change}`) : [];
  });
  const names = (list: readonly ParameterDefinition[], other: readonly ParameterDefinition[]) =>
    list.flatMap(({ name }) => (find(other, name) ? [name] : [])).join(', ');
  const isMoved = names(before, after) !== names(after, before);
  return [...added, ...removed, ...changed, ...(isMoved ? [`parameters: new order ${names(after, before)}`] : [])];
}

function facts({ type, required, description }: ParameterDefinition): string {
  return [type, ...(required ? ['required'] : []), ...(description ? [`“${description}”`] : [])].join(', ');
}
