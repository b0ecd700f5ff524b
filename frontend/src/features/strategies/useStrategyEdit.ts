// Form that edits a strategy definition. The stored definition is read before it is replaced. Changes of other users are
// merged; the user decides about fields that both changed.
import { useNavigate } from 'react-router-dom';
import { useCapabilities } from '@/api/capabilities';
import { strategies, strategy } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { mergeEdit } from '@/lib/mergeEdit';
import { paths } from '@/paths';
import { retryIfChanged } from '@/shared/retryIfChanged';
import { useForm } from '@/shared/useForm';
import { type DefinitionInput, rowErrors, toDraft, toInput } from './definition';
import type { ResolveConflict } from './useDefinitionConflict';
import { useStrategyWrites } from './useStrategyWrites';

interface Options {
  /** The definition at the start of the edit. */
  base: StrategyDefinition;
  resolveConflict: ResolveConflict;
  /** Restarts the form with the stored definition of another user. */
  onTheirs: (stored: StrategyDefinition) => void;
}

export function useStrategyEdit({ base, resolveConflict, onTheirs }: Options) {
  const { name } = base;
  const navigate = useNavigate();
  const { fetchFresh, fetchTag } = useWrite();
  const { create, update } = useStrategyWrites();
  const { acceptsDeprecated } = useCapabilities();

  /** Saves the definition. Resolves with false if the user continues to edit. */
  function replace(input: DefinitionInput): Promise<boolean> {
    const edited = toDraft(input);
    // The unedited form would send this, so that only real edits count as changes.
    const original = { ...base, ...toDraft(toInput(base)) };
    const mine = { ...original, ...edited };
    let decidedOn: StrategyDefinition | undefined;
    return retryIfChanged(async () => {
      for (;;) {
        // The tag is read first: a write after a change of the definition in between is refused.
        const tag = await fetchTag(strategy(name), { inline: true });
        const data = await fetchFresh(strategies, { inline: true });
        const stored = data.strategies.find((one) => one.name === name);
        if (!stored) {
          if ((await resolveConflict({ name, base: original, mine, stored, contested: [] })) !== 'mine') return false;
          await create(edited);
          return true;
        }
        const { merged, conflicts: contested } = mergeEdit(original, mine, stored);
        if (contested.length === 0 || (decidedOn && jsonDiff(decidedOn, stored).length === 0)) {
          const { deprecated: _, ...accepted } = merged;
          await update(acceptsDeprecated ? merged : accepted, tag);
          return true;
        }
        const decision = await resolveConflict({ name, base: original, mine, stored, contested });
        if (decision === 'theirs') onTheirs(stored);
        if (decision !== 'mine') return false;
        decidedOn = stored;
      }
    }, name);
  }

  return useForm<DefinitionInput>({
    start: toInput(base),
    rules: ({ parameters }) => ({ parameters: [...rowErrors(parameters).values()][0] }),
    save: async (input) => {
      if (await replace(input)) void navigate(paths.strategy(name));
    },
    idField: 'name',
  });
}
