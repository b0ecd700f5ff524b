// Pages that create and edit a context field.
import type { ContextField } from '@/api/generated/types';
import { sections } from '@/paths';
import { CreateForm, EditForm } from '@/shared/EntityForms';
import type { EditableEntity } from '@/shared/entity';
import { FormPage } from '@/shared/FormPage';
import { useRouteParams } from '@/shared/useRouteParams';
import { ContextFieldFields } from './components/ContextFieldFields';
import { contextFields } from './contextFields';
import { type ContextFieldInput, contextFieldForm, contextFieldLabels } from './rules';

const contextField: EditableEntity<ContextField, ContextFieldInput> = {
  resource: contextFields,
  section: sections.contextFields,
  createPermission: 'CREATE_CONTEXT_FIELD',
  updatePermission: 'UPDATE_CONTEXT_FIELD',
  form: contextFieldForm,
  labels: contextFieldLabels,
  // Servers omit an empty list of legal values.
  complete: (field) => ({ ...field, legalValues: field.legalValues ?? [] }),
  Fields: ContextFieldFields,
};

/** Title of both pages, which the specification requires. */
const TITLE = 'Create context field';

export function ContextFieldCreatePage() {
  return (
    <FormPage title={TITLE} within={sections.contextFields}>
      <CreateForm entity={contextField} />
    </FormPage>
  );
}

export function ContextFieldEditPage() {
  const { name = '' } = useRouteParams();
  return (
    <FormPage title={TITLE} here={name} within={sections.contextFields}>
      <EditForm entity={contextField} id={name} />
    </FormPage>
  );
}
