import { useState } from 'react';
import { tags } from '@/api/endpoints';
import type { ApiTokenDraft, CreatedApiToken } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useProjects } from '@/api/reads';
import { newToken } from '@/domain/apiTokens/apiTokens';
import { FirstClientTokenWarning } from '@/domain/apiTokens/FirstClientTokenWarning';
import { useCreateToken } from '@/domain/apiTokens/newSecrets';
import { sections } from '@/paths';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { LinkButton } from '@/shared/LinkButton';
import { bindFields, type FormFields, useForm } from '@/shared/useForm';
import { Card } from '@/ui/Card';
import { ChipsField } from '@/ui/ChipsField';
import { SegmentedField } from '@/ui/SegmentedControl';
import { TextField } from '@/ui/TextField';
import { EmbeddedOnly } from './EmbeddedOnly';
import { TOKEN_KINDS, tokenErrors, toTokenDraft } from './rules';
import { TokenSecret } from './TokenSecret';

export function ApiTokenCreatePage() {
  // Not in the URL: the secret must not be in the browser's history.
  const [created, setCreated] = useState<CreatedApiToken>();
  return (
    <EmbeddedOnly>
      <FormPage title={created?.name ?? 'New API token'} within={sections.apiTokens}>
        {created ? (
          <TokenSecret token={created} autoFocus>
            <LinkButton to={sections.apiTokens.path}>Done</LinkButton>
          </TokenSecret>
        ) : (
          <ApiTokenForm onCreated={setCreated} />
        )}
      </FormPage>
    </EmbeddedOnly>
  );
}

function ApiTokenForm({ onCreated }: { onCreated: (created: CreatedApiToken | undefined) => void }) {
  const create = useCreateToken();
  const form = useForm({
    start: newToken,
    rules: tokenErrors,
    save: async (input) => onCreated(await create(toTokenDraft(input))),
    idField: 'name',
  });
  return (
    <Form form={form} isNew submitLabel="Create" permission="CREATE_API_TOKEN" cancel={sections.apiTokens.path}>
      <ApiTokenFields {...form.fields} />
    </Form>
  );
}

function ApiTokenFields(fields: FormFields<ApiTokenDraft>) {
  const { input } = fields;
  const bind = bindFields(fields);
  return (
    <Card>
      <div className="grid gap-4">
        <TextField
          label="Name"
          required
          autoComplete="off"
          help="Such as the application that uses the token. It cannot be changed later."
          {...bind('name')}
        />
        <div className="grid gap-1.5">
          <SegmentedField label="Kind" options={TOKEN_KINDS} {...bind('kind')} />
          {input.kind === 'client' ? <ClientNote /> : <FrontendNote />}
        </div>
        {input.kind === 'frontend' && <ScopeFields {...fields} />}
      </div>
    </Card>
  );
}

function ClientNote() {
  return (
    <>
      <p className="text-muted text-secondary">
        For servers, which read the definitions of all toggles. Keep the token secret.
      </p>
      <FirstClientTokenWarning />
    </>
  );
}

function FrontendNote() {
  return (
    <p className="text-muted text-secondary">
      For browsers and phones, which get results and never definitions. Anyone who opens the page can read the token.
    </p>
  );
}

function ScopeFields({ input, errors, onChange }: FormFields<ApiTokenDraft>) {
  const projects = useProjects().map(({ id }) => id);
  const knownTags = useRead(tags).data?.tags.map(({ type, value }) => `${type}:${value}`);
  return (
    <>
      <ChipsField
        label="Origins"
        help="Pages that may use the token, such as https://shop.example, or * for all. Without any, only apps outside a browser may use it."
        error={errors.origins}
        entries={input.origins}
        onChange={(origins) => onChange({ ...input, origins })}
      />
      <ChipsField
        label="Projects"
        help="Only toggles of these projects are visible. Without any: all projects."
        entries={input.projects}
        suggestions={projects}
        onChange={(selected) => onChange({ ...input, projects: selected })}
      />
      <ChipsField
        label="Tags"
        help="Only toggles with one of these tags are visible. Without any: all toggles."
        error={errors.tags}
        entries={input.tags}
        suggestions={knownTags ?? []}
        onChange={(selected) => onChange({ ...input, tags: selected })}
      />
    </>
  );
}
