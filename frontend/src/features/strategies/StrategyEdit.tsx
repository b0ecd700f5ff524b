import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useCapabilities } from '@/api/capabilities';
import { strategies, strategy } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { mergeEdit } from '@/lib/mergeEdit';
import { paths } from '@/paths';
import { Form } from '@/shared/Form';
import { retryIfChanged } from '@/shared/retryIfChanged';
import { useForm } from '@/shared/useForm';
import { Card } from '@/ui/Card';
import { DefinitionFields } from './DefinitionFields';
import { type DefinitionInput, removedParameters, rowErrors, toDefinitionDraft, toInput } from './definition';
import { StrategyUsage } from './StrategyUsage';
import { type ResolveDefinitionConflict, useDefinitionConflict } from './useDefinitionConflict';
import { useStrategyWrites } from './useStrategyWrites';

/** Restarts the form with another version of the definition. */
interface EditStart {
  number: number;
  base: StrategyDefinition;
}

export function StrategyEdit({ definition }: { definition: StrategyDefinition }) {
  const [restarted, restart] = useState<EditStart>();
  const { number, base } = restarted ?? { number: 0, base: definition };
  return (
    <DefinitionForm key={number} latest={base} onTheirs={(stored) => restart({ number: number + 1, base: stored })} />
  );
}

interface Props {
  latest: StrategyDefinition;
  onTheirs: (stored: StrategyDefinition) => void;
}

function DefinitionForm({ latest, onTheirs }: Props) {
  const { resolveConflict, conflictDialog } = useDefinitionConflict();
  const form = useStrategyEdit({ latest, resolveConflict, onTheirs });
  const removed = removedParameters(form.base, form.input);
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_300px]">
      <Form form={form} submitLabel="Save" permission="UPDATE_STRATEGY" cancel={paths.strategy(latest.name)}>
        <p role="note" className="rounded-control bg-warn-soft px-4 py-3 text-warn">
          Be carefull! Changing a strategy definition might also require changes to the implementation in the clients.
        </p>
        <DefinitionFields input={form.input} errors={form.errors} isNameReadOnly onChange={form.setInput} />
        {removed.length > 0 && (
          <p role="status" className="wrap-anywhere text-secondary text-warn">
            Removed: {removed.join(', ')}. Toggles keep their values, but the values can no longer be edited here.
          </p>
        )}
      </Form>
      <aside aria-label="Usage" className="min-w-0 content-start">
        <Card>
          <StrategyUsage name={latest.name} level={2} />
        </Card>
      </aside>
      {conflictDialog}
    </div>
  );
}

// Form that edits a strategy definition. The stored definition is read before it is replaced. Changes of other users are
// merged; the user decides about fields that both changed.

interface Options {
  latest: StrategyDefinition;
  resolveConflict: ResolveDefinitionConflict;
  /** Restarts the form with the stored definition of another user. */
  onTheirs: (stored: StrategyDefinition) => void;
}

function useStrategyEdit({ latest, resolveConflict, onTheirs }: Options) {
  const { name } = latest;
  const navigate = useNavigate();
  const { fetchFresh, fetchTag } = useWrite();
  const { create, update } = useStrategyWrites();
  const { acceptsDeprecated } = useCapabilities();

  /** Saves the definition. Resolves with false if the user continues to edit. */
  function replace(input: DefinitionInput, base: StrategyDefinition): Promise<boolean> {
    const edited = toDefinitionDraft(input);
    // The unedited form would send this, so that only real edits count as changes.
    const original = { ...base, ...toDefinitionDraft(toInput(base)) };
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

  return useForm<DefinitionInput, StrategyDefinition>({
    start: toInput(latest),
    base: latest,
    rules: ({ parameters }) => ({ parameters: [...rowErrors(parameters).values()][0] }),
    save: async (input, base) => {
      if (await replace(input, base)) void navigate(paths.strategy(name));
    },
    idField: 'name',
  });
}
