import { inEnvironment } from '@/api/environment';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { PageHeader } from '@/ui/PageHeader';
import { isForEveryone } from './activation/audience';
import { StrategyForm } from './activation/StrategyForm';
import { ToggleFields } from './form/ToggleFields';
import { useToggleForm } from './form/useToggleForm';
import type { ToggleInput } from './saving/rules';
import { UnsupportedServerPage } from './unsupported/UnsupportedServerPage';

export function ToggleCreatePage() {
  const { form, input, definitions, stickiness, ...fields } = useToggleForm();
  const { setInput } = form;
  const unsupported = useUnsupportedServer();
  if (unsupported) return <UnsupportedServerPage title="New toggle" error={unsupported} />;
  return (
    <>
      <PageHeader title="New toggle" breadcrumb={<Breadcrumb within={sections.toggles} here="New toggle" />} />
      <Form
        form={form}
        submitLabel="Create"
        permission="CREATE_FEATURE"
        alwaysGuardsClose
        alternative={
          goesLive(input)
            ? {
                note: `Goes live for everyone${inEnvironment()} on create`,
                label: 'Create off',
                onSubmit: () => void form.submitWith({ enabled: false }),
              }
            : undefined
        }
        cancel={paths.toggles()}
      >
        <ToggleFields form={input} onChange={setInput} nameError={form.errors.name} {...fields} />
        <StrategyForm form={input} definitions={definitions} stickiness={stickiness} onChange={setInput} />
      </Form>
    </>
  );
}

/** Returns whether the new toggle is on for everyone. Without a strategy, it gets `default` or a rollout of 100 %. */
function goesLive({ enabled, strategies }: ToggleInput): boolean {
  return enabled && (strategies.length === 0 || strategies.some(isForEveryone));
}
