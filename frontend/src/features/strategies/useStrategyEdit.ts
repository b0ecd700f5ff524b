// The form for a definition that exists. Servers know no version of it, so what is stored now is read before it is
// replaced: what others changed meanwhile stays, or is asked about where both changed the same.
import { useNavigate } from 'react-router-dom';
import { strategies } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { jsonDiff } from '@/lib/jsonDiff';
import { mergeEdit } from '@/lib/mergeEdit';
import { paths } from '@/paths';
import { useForm } from '@/shared/useForm';
import { type DefinitionInput, rowErrors, toDraft, toInput } from './definition';
import type { ResolveConflict } from './useDefinitionConflict';
import { useStrategyWrites } from './useStrategyWrites';

interface Options {
  /** What the edit begins with. */
  base: StrategyDefinition;
  ask: ResolveConflict;
  /** Begins anew with what somebody else stored. */
  onTheirs: (stored: StrategyDefinition) => void;
}

export function useStrategyEdit({ base, ask, onTheirs }: Options) {
  const { name } = base;
  const navigate = useNavigate();
  const { fetchFresh } = useWrite();
  const { create, update } = useStrategyWrites();

  /** Whether it is stored. */
  async function replace(input: DefinitionInput): Promise<boolean> {
    const edited = toDraft(input);
    // As the form would send it untouched, so that only what was really edited counts as an edit.
    const begun = { ...base, ...toDraft(toInput(base)) };
    const mine = { ...begun, ...edited };
    let decidedOn: StrategyDefinition | undefined;
    for (;;) {
      const answer = await fetchFresh(strategies, { inline: true });
      const stored = answer.strategies.find((one) => one.name === name);
      if (!stored) {
        if ((await ask({ name, base: begun, mine, stored, contested: [] })) !== 'mine') return false;
        await create(edited);
        return true;
      }
      const { merged, contested } = mergeEdit(begun, mine, stored);
      if (contested.length === 0 || (decidedOn && jsonDiff(decidedOn, stored).length === 0)) {
        await update(merged);
        return true;
      }
      const decision = await ask({ name, base: begun, mine, stored, contested });
      if (decision === 'theirs') onTheirs(stored);
      if (decision !== 'mine') return false;
      decidedOn = stored;
    }
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
