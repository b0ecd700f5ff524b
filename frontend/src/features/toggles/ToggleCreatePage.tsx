import { useUnsupportedServer } from '@/api/unsupportedServer';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { PageHeader } from '@/ui/PageHeader';
import { StrategyForm } from './activation/StrategyForm';
import { ToggleFields } from './form/ToggleFields';
import { useToggleForm } from './form/useToggleForm';
import { addStrategy } from './saving/rules';
import { UnsupportedServerPage } from './unsupported/UnsupportedServerPage';

export function ToggleCreatePage() {
  const { form, input, definitions, stickiness, ...fields } = useToggleForm();
  const { setInput } = form;
  const unsupported = useUnsupportedServer();
  if (unsupported) return <UnsupportedServerPage title="New toggle" error={unsupported} />;
  return (
    <>
      <PageHeader title="New toggle" breadcrumb={<Breadcrumb within={sections.toggles} here="New toggle" />} />
      <Form form={form} submitLabel="Create" permission="CREATE_FEATURE" alwaysGuardsClose cancel={paths.toggles()}>
        <ToggleFields form={input} onChange={setInput} nameError={form.errors.name} {...fields} />
        <StrategyForm
          form={input}
          definitions={definitions}
          stickiness={stickiness}
          onAdd={(definition) => setInput(addStrategy(input, definition))}
          onChange={(changed) =>
            setInput({
              ...input,
              strategies: input.strategies.map((one) => (one.key === changed.key ? changed : one)),
            })
          }
          onRemove={(key) => setInput({ ...input, strategies: input.strategies.filter((one) => one.key !== key) })}
        />
      </Form>
    </>
  );
}
