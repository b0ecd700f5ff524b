import { useCapabilities } from '@/api/capabilities';
import { inEnvironment } from '@/api/environment';
import type { Toggle } from '@/api/generated/types';
import { paths } from '@/paths';
import { Form } from '@/shared/Form';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { NameField } from '@/ui/NameField';
import { NameHelp } from './NameHelp';
import { useToggleCopy } from './useToggleCopy';

export function CopyForm({ source }: { source: Toggle }) {
  const { form, setName, setReplaceGroupId, checkName } = useToggleCopy(source);
  const { input, errors } = form;
  const { copiesEnvironments } = useCapabilities();
  return (
    <Form
      form={form}
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
