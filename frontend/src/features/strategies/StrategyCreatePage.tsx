import { useLocation } from 'react-router-dom';
import { paths, sections } from '@/paths';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { useOpenPage } from '@/shared/navigation';
import { useForm } from '@/shared/useForm';
import { nameFromUrl } from '@/shared/useRouteParams';
import { DefinitionFields } from './DefinitionFields';
import { createInput, type DefinitionInput, rowErrors, toDefinitionDraft } from './definition';
import { useStrategyWrites } from './useStrategyWrites';

export function StrategyCreatePage() {
  const form = useStrategyCreate();
  return (
    <FormPage title="New strategy" within={sections.strategies}>
      <p className="mb-5 max-w-[72ch] text-muted">
        A definition makes a strategy available to toggles. Your applications implement it.
      </p>
      <Form form={form} isNew submitLabel="Create" permission="CREATE_STRATEGY" cancel={paths.strategies()}>
        <DefinitionFields {...form.fields} />
      </Form>
    </FormPage>
  );
}

/** Form that creates a strategy definition. */
function useStrategyCreate() {
  const location = useLocation();
  const open = useOpenPage();
  const { create } = useStrategyWrites();
  return useForm<DefinitionInput>({
    start: createInput(nameFromUrl(location)),
    rules: ({ name, parameters }) => ({
      name: name === '' ? 'Enter a name.' : undefined,
      parameters: [...rowErrors(parameters).values()][0],
    }),
    save: (input) => create(toDefinitionDraft(input)),
    onSaved: () => void open(paths.strategies()),
    idField: 'name',
  });
}
