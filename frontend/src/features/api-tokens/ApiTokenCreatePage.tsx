import { useState } from 'react';
import type { CreatedApiToken } from '@/api/generated/types';
import { sections } from '@/paths';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { useForm } from '@/shared/useForm';
import { apiTokens } from './apiTokens';
import { ApiTokenFields } from './components/ApiTokenFields';
import { EmbeddedOnly } from './components/EmbeddedOnly';
import { TokenSecret } from './components/TokenSecret';
import { newToken, toDraft, tokenErrors } from './rules';

export function ApiTokenCreatePage() {
  // Not in the URL: the secret must not be in the browser's history.
  const [created, setCreated] = useState<CreatedApiToken>();
  return (
    <EmbeddedOnly>
      <FormPage title={created?.name ?? 'New API token'} within={sections.apiTokens}>
        {created ? <TokenSecret secret={created.secret} /> : <CreateForm onCreated={setCreated} />}
      </FormPage>
    </EmbeddedOnly>
  );
}

function CreateForm({ onCreated }: { onCreated: (created: CreatedApiToken | undefined) => void }) {
  const create = apiTokens.useCreate();
  const form = useForm({
    start: newToken,
    rules: tokenErrors,
    save: async (input) => onCreated(await create(toDraft(input))),
    idField: 'name',
  });
  return (
    <Form form={form} submitLabel="Create" permission="CREATE_API_TOKEN" cancel={sections.apiTokens.path}>
      <ApiTokenFields input={form.input} errors={form.errors} onChange={form.setInput} isExisting={false} />
    </Form>
  );
}
