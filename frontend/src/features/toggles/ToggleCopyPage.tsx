import { currentCapabilities, useCapabilities } from '@/api/capabilities';
import { copyFeature, validateFeature } from '@/api/endpoints';
import { inEnvironment } from '@/api/environment';
import type { Toggle } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { useOpenPage } from '@/shared/navigation';
import { useForm } from '@/shared/useForm';
import { useRouteParams } from '@/shared/useRouteParams';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { NameField } from '@/ui/NameField';
import { NameHelp } from './form/NameHelp';
import { ToggleLoader } from './page/ToggleLoader';
import { ToggleNotFound } from './page/ToggleNotFound';
import { useToggle } from './page/useToggle';
import { copyToggle } from './saving/toggleEdits';
import { useToggleWrites } from './saving/useToggleWrites';
import { UnsupportedServerPage } from './unsupported/UnsupportedServerPanel';

export function ToggleCopyPage() {
  const { name = '' } = useRouteParams();
  const result = useToggle(name);
  const title = `Copy ${name}`;
  const notFound =
    result.state === 'unsupported' ? (
      <UnsupportedServerPage title={title} error={result.error} />
    ) : (
      <ToggleNotFound name={name} title="Toggle not found" isArchived={result.state === 'archived'} />
    );
  return (
    <ToggleLoader name={name} result={result} notFound={notFound}>
      {(source) => (
        <FormPage title={title} within={sections.toggles}>
          <CopyForm source={source} />
        </FormPage>
      )}
    </ToggleLoader>
  );
}

function CopyForm({ source }: { source: Toggle }) {
  const { form, setName, setReplaceGroupId, checkName } = useToggleCopy(source);
  const { input, errors } = form;
  const { copiesEnvironments } = useCapabilities();
  return (
    <Form
      form={form}
      isNew
      submitLabel="Copy feature toggle"
      permission="CREATE_FEATURE"
      disabledReason={errors.name && 'Choose another name first.'}
      cancel={paths.toggle(source.name)}
    >
      <Card>
        <div className="grid gap-4">
          <p className="text-muted">
            The copy of <b className="wrap-anywhere text-text">{source.name}</b> starts with the same type, description,
            strategies and variants{copiesEnvironments && ' in all environments and the same tags'}, and is{' '}
            {source.enabled ? 'enabled' : 'disabled'}{' '}
            {copiesEnvironments ? `${inEnvironment()} and disabled elsewhere` : 'as well'}.
          </p>
          <NameField
            label="Name"
            required
            help={
              <NameHelp name={input.name} error={errors.name}>
                The name your code uses. It must be unique and cannot be changed later.
              </NameHelp>
            }
            value={input.name}
            error={errors.name}
            onChange={setName}
            onBlur={checkName}
          />
          <Checkbox
            label="Replace groupId"
            help="Names the groupId of gradual rollouts after the copy. Otherwise, both toggles select the same users."
            checked={input.replaceGroupId}
            onChange={setReplaceGroupId}
          />
        </div>
      </Card>
    </Form>
  );
}

/** Form for copying a toggle. */
function useToggleCopy(source: Toggle) {
  const open = useOpenPage();
  const { create } = useToggleWrites();
  const form = useForm({
    start: { name: '', replaceGroupId: true },
    rules: ({ name }) => ({ name: name === '' ? 'Enter a name.' : undefined }),
    save: async ({ name, replaceGroupId }) => {
      const call = currentCapabilities().copiesEnvironments ? copyFeature(source.name, replaceGroupId) : undefined;
      await create(copyToggle(source, name, replaceGroupId), call);
    },
    onSaved: ({ name }) => void open(paths.toggle(name)),
    idField: 'name',
  });
  const { input, setInput } = form;
  return {
    form,
    setName: (name: string) => setInput({ ...input, name }),
    setReplaceGroupId: (replaceGroupId: boolean) => setInput({ ...input, replaceGroupId }),
    checkName: () => void form.check('name', validateFeature),
  };
}
