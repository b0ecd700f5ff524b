import type { Application } from '@/api/generated/types';
import { paths } from '@/paths';
import { Form } from '@/shared/Form';
import { Card } from '@/ui/Card';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { useApplicationForm } from '../useApplicationForm';
import { IconField } from './IconField';

export function EditApplication({ application }: { application: Application }) {
  const form = useApplicationForm(application);
  const { input, setInput, errors } = form;
  return (
    <Form
      form={form}
      submitLabel="Save"
      permission="UPDATE_APPLICATION"
      cancel={paths.application(application.appName)}
    >
      <Card>
        <div className="grid gap-4">
          <IconField value={input.icon} onChange={(icon) => setInput({ ...input, icon })} />
          <TextField
            label="Application URL"
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://"
            help="The application itself or its documentation."
            error={errors.url}
            value={input.url}
            onChange={(url) => setInput({ ...input, url })}
          />
          <TextArea
            label="Description"
            error={errors.description}
            value={input.description}
            onChange={(description) => setInput({ ...input, description })}
          />
          <p className="text-muted text-secondary">Saved values can be replaced but not cleared.</p>
        </div>
      </Card>
    </Form>
  );
}
