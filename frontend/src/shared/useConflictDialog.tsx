// The question of a save that meets a change of another user. All nouns use it.
import type { ComponentType } from 'react';
import type { Endpoint } from '@/api/client';
import type { Event, PermissionName } from '@/api/generated/types';
import { useWrite } from '@/api/useWrite';
import type { MergeConflict } from '@/lib/merge';
import { usePrompt } from '@/lib/prompt';
import { lazyDialog } from '@/ui/lazy';
import type { ChangesProps } from './ConflictDialog';
import type { Choices } from './replaceMerged';
import { SaveCancelledError } from './SaveCancelledError';

export const ConflictDialog = lazyDialog(() => import('./ConflictDialog'), 'ConflictDialog');

export interface ConflictOptions {
  /** In the singular, such as 'tag type'. */
  noun: string;
  /** Describes one side of a conflict. Default: its value. */
  Changes?: ComponentType<ChangesProps>;
}

/** `edit` saves a form, `command` runs without a form that could be edited further, `undo` reverts an earlier change. */
export type SavePurpose = 'edit' | 'command' | 'undo';

/** With `decision`, the user decides before a save, and the choice changes only the edits. */
export type DialogPurpose = SavePurpose | 'decision';

export interface ConflictRequest {
  /** Name of the item. */
  name: string;
  conflicts: readonly MergeConflict[];
  /** Labels of the fields that only the other user changed. */
  taken?: readonly string[];
  /** Default: `edit`. */
  purpose?: DialogPurpose;
  /** The item was deleted, and this is the permission to create it again. */
  createPermission?: PermissionName;
}

/** A conflict, and the log in which its author is searched. */
interface ConflictQuestion extends ConflictRequest {
  log: Endpoint<{ events: readonly Event[] }>;
  /** Default: all events of the log. */
  isChange?: (event: Event) => boolean;
}

export function useConflictDialog({ noun, Changes }: ConflictOptions) {
  const { fetchFresh } = useWrite();
  const [prompt, state] = usePrompt<ConflictRequest & { event: Event | undefined }, Choices>();

  /**
   * Resolves with the chosen side of each conflict, or undefined if the user cancels the save. Throws if the page was left, so
   * that the user is told of a save that nobody could decide.
   */
  async function ask({ log, isChange = () => true, ...request }: ConflictQuestion): Promise<Choices | undefined> {
    const read = await fetchFresh(log, { inline: true }).catch(() => undefined);
    const choices = await prompt.ask({ ...request, event: findNewestEvent((read?.events ?? []).filter(isChange)) });
    if (choices === undefined && !prompt.isMounted()) throw new SaveCancelledError(describeUndecided(noun, request));
    return choices;
  }

  const conflict = state && (
    // The key makes each request start without choices.
    <ConflictDialog
      key={state.number}
      open={state.open}
      noun={noun}
      {...(Changes && { Changes })}
      {...state.question}
      onSave={prompt.answer}
      onClose={prompt.close}
    />
  );
  return { ask, conflict };
}

function describeUndecided(noun: string, { name, purpose }: ConflictRequest): string {
  const what = purpose === 'undo' ? 'undone' : 'saved';
  return `Not ${what}: the ${noun} ${name} has changed meanwhile, and you left the page that asks what to keep.`;
}

/** Returns the event with the highest id; undefined if there are no events. */
function findNewestEvent(events: readonly Event[]): Event | undefined {
  return events.reduce<Event | undefined>(
    (newest, event) => (newest && newest.id > event.id ? newest : event),
    undefined,
  );
}
