import { getTagTypeNames } from '@/domain/tags/tags';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { Card } from '@/ui/Card';
import { PageHeader } from '@/ui/PageHeader';
import { SelectField } from '@/ui/SelectField';
import { TextField } from '@/ui/TextField';
import { useTagForm } from './useTagForm';

export function TagCreatePage() {
  const { form, types } = useTagForm();
  const { input, setInput } = form;
  return (
    <>
      <PageHeader title="New tag" breadcrumb={<Breadcrumb within={sections.tags} here="New tag" />} />
      <Form form={form} submitLabel="Create" permission="CREATE_TAG" cancel={paths.tags()}>
        <Card>
          <div className="grid gap-4">
            <SelectField
              label="Type"
              help={types.find(({ name }) => name === input.type)?.description ?? undefined}
              value={input.type}
              options={getTagTypeNames(types).map((name) => ({ value: name, label: name }))}
              onChange={(type) => setInput({ ...input, type })}
            />
            <TextField
              label="Value"
              aria-required
              autoComplete="off"
              error={form.errors.value}
              value={input.value}
              onChange={(value) => setInput({ ...input, value })}
            />
          </div>
        </Card>
      </Form>
    </>
  );
}
