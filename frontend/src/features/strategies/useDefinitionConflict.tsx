// Conflict dialog of a save whose definition was changed by another user meanwhile.
import type { ReactNode } from 'react';
import { events } from '@/api/endpoints';
import type { Event, StrategyDefinition } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { findNewestEvent } from '@/domain/events/findNewestEvent';
import { usePrompt } from '@/lib/prompt';
import { DefinitionConflictDialog } from './components/DefinitionConflictDialog';

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

export type Resolution = 'mine' | 'theirs';
/** Asks the user. Resolves with undefined if the user continues to edit. */
export type ResolveConflict = (conflict: DefinitionConflict) => Promise<Resolution | undefined>;

export interface PendingConflict extends DefinitionConflict {
  /** The newest change in the server's event log; undefined if there is none. */
  event: Event | undefined;
}

export function useDefinitionConflict(): { resolveConflict: ResolveConflict; conflictDialog: ReactNode } {
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
