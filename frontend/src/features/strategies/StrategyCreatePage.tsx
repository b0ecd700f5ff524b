import { paths, sections } from '@/paths';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { DefinitionFields } from './components/DefinitionFields';
import { useStrategyCreate } from './useStrategyCreate';

export function StrategyCreatePage() {
  const form = useStrategyCreate();
  return (
    <FormPage title="New strategy" within={sections.strategies}>
      <p className="mb-5 max-w-[72ch] text-muted">
        A definition makes a strategy available to toggles. Your applications implement it.
      </p>
      <Form form={form} submitLabel="Create" permission="CREATE_STRATEGY" cancel={paths.strategies()}>
        <DefinitionFields input={form.input} errors={form.errors} onChange={form.setInput} />
      </Form>
    </FormPage>
  );
}
