// Dialog that asks which version to keep when a save conflicts with another change.
import { featureEvents } from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { usePrompt } from '@/lib/prompt';
import { LazyBoundary } from '@/ui/LazyBoundary';
import type { MergeConflict, Side } from './mergeToggle';

const ConflictDialog = lazyInIdle(() => import('./components/ConflictDialog').then((part) => part.ConflictDialog));

type Choices = ReadonlyMap<string, Side>;

interface ConflictRequest {
  conflicts: readonly MergeConflict[];
  /** The latest event of the toggle, if the server has one. */
  event: Event | undefined;
}

export function useConflictDialog(name: string) {
  const { fetchFresh } = useWrite();
  const [prompt, state] = usePrompt<ConflictRequest, Choices>();

  /** Resolves with the chosen side of each conflict, or undefined if the save is cancelled. */
  async function ask(conflicts: readonly MergeConflict[]): Promise<Choices | undefined> {
    const log = await fetchFresh(featureEvents(name), { inline: true }).catch(() => undefined);
    const event = log?.events.reduce<Event | undefined>(
      (newest, one) => (newest && newest.id > one.id ? newest : one),
      undefined,
    );
    return prompt.ask({ conflicts, event });
  }

  const conflict = state && (
    <LazyBoundary open={state.open} onLoadError={prompt.close}>
      {/* The key makes each request start without choices. */}
      <ConflictDialog
        key={state.number}
        open={state.open}
        name={name}
        {...state.question}
        onSave={prompt.answer}
        onClose={prompt.close}
      />
    </LazyBoundary>
  );
  return { ask, conflict };
}
