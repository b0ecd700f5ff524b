import { useCapabilities } from '@/api/capabilities';
import { strategies, strategy } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { useWrite } from '@/api/useWrite';
import { getParameterLabel } from '@/domain/strategies/strategyNames';
import { paths } from '@/paths';
import { Form } from '@/shared/Form';
import { useOpenPage } from '@/shared/navigation';
import { useForm } from '@/shared/useForm';
import { useMergedSave } from '@/shared/useMergedSave';
import { Card } from '@/ui/Card';
import { DefinitionConflict } from './DefinitionConflict';
import { DefinitionFields } from './DefinitionFields';
import { type DefinitionInput, removedParameters, rowErrors, toDefinitionDraft, toInput } from './definition';
import { StrategyUsage } from './StrategyUsage';
import { useStrategyWrites } from './useStrategyWrites';

export function StrategyEdit({ definition }: { definition: StrategyDefinition }) {
  const { form, conflict } = useStrategyEdit(definition);
  const removed = removedParameters(form.base, form.input);
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_300px]">
      <Form form={form} submitLabel="Save" permission="UPDATE_STRATEGY" cancel={paths.strategy(definition.name)}>
        <p role="note" className="rounded-control bg-warn-soft px-4 py-3 text-warn">
          Be carefull! Changing a strategy definition might also require changes to the implementation in the clients.
        </p>
        <DefinitionFields {...form.fields} isNameReadOnly />
        {removed.length > 0 && (
          <p role="status" className="wrap-anywhere text-secondary text-warn">
            Removed: {removed.join(', ')}. Toggles keep their values, but the values can no longer be edited here.
          </p>
        )}
      </Form>
      <aside aria-label="Usage" className="min-w-0 content-start">
        <Card>
          <StrategyUsage name={definition.name} level={2} />
        </Card>
      </aside>
      {conflict}
    </div>
  );
}

/** Form that edits a definition. */
function useStrategyEdit(definition: StrategyDefinition) {
  const { name } = definition;
  const open = useOpenPage();
  const { fetchFresh, fetchTag } = useWrite();
  const { create, update } = useStrategyWrites();
  const { acceptsDeprecated } = useCapabilities();
  const { save, conflict } = useMergedSave<StrategyDefinition>({
    noun: 'strategy',
    id: name,
    rules: { labelOf: getParameterLabel },
    find: async () => {
      // The tag is read first: a write after a change of the definition in between is refused.
      const tag = await fetchTag(strategy(name), { inline: true });
      const data = await fetchFresh(strategies, { inline: true });
      const item = data.strategies.find((one) => one.name === name);
      return item && { item, tag };
    },
    replace: (merged, { tag }) => {
      const { deprecated: _, ...accepted } = merged;
      return update(acceptsDeprecated ? merged : accepted, tag);
    },
    createPermission: 'CREATE_STRATEGY',
    Changes: DefinitionConflict,
  });
  const form = useForm<DefinitionInput, StrategyDefinition>({
    start: toInput(definition),
    base: definition,
    rules: ({ parameters }) => ({ parameters: [...rowErrors(parameters).values()][0] }),
    save: (input, base) => {
      const edited = toDefinitionDraft(input);
      // The unedited form would send this, so that only real edits count as changes.
      const opened = { ...base, ...toDefinitionDraft(toInput(base)) };
      return save(opened, { ...opened, ...edited }, () => create(edited));
    },
    onSaved: () => void open(paths.strategy(name)),
    idField: 'name',
  });
  return { form, conflict };
}
