// Dialog that asks which version to keep when a save conflicts with another change.
import { featureEvents } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { findNewestEvent } from '@/domain/events/findNewestEvent';
import { usePrompt } from '@/lib/prompt';
import { ConflictDialog } from './ConflictDialog';
import type { MergeConflict, Side } from './mergeToggle';

type Choices = ReadonlyMap<string, Side>;

interface ConflictRequest {
  conflicts: readonly MergeConflict[];
  /** The latest event of the toggle, if the server has one. */
  event: Event | undefined;
  /** The save undoes an earlier change. */
  isUndo: boolean;
}

export function useConflictDialog(name: string) {
  const { fetchFresh } = useWrite();
  const [prompt, state] = usePrompt<ConflictRequest, Choices>();

  /** Resolves with the chosen side of each conflict, or undefined if the save is cancelled. */
  async function ask(conflicts: readonly MergeConflict[], isUndo: boolean): Promise<Choices | undefined> {
    const log = await fetchFresh(featureEvents(name), { inline: true }).catch(() => undefined);
    const event = findNewestEvent(log?.events ?? []);
    return prompt.ask({ conflicts, event, isUndo });
  }

  const conflict = state && (
    // The key makes each request start without choices.
    <ConflictDialog
      key={state.number}
      open={state.open}
      name={name}
      {...state.question}
      onSave={prompt.answer}
      onClose={prompt.close}
    />
  );
  return { ask, conflict };
}
