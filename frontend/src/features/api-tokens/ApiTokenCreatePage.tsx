import { type ClipboardEvent, useState } from 'react';
import { tags } from '@/api/endpoints';
import type { ApiTokenDraft, CreatedApiToken } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useProjects } from '@/api/reads';
import { apiTokenResource, newToken } from '@/domain/apiTokens/apiTokens';
import { FirstClientTokenWarning } from '@/domain/apiTokens/FirstClientTokenWarning';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { sections } from '@/paths';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { LinkButton } from '@/shared/LinkButton';
import { bindFields, type FormFields, useForm } from '@/shared/useForm';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ChipsField } from '@/ui/ChipsField';
import { CopyIcon, WarningIcon } from '@/ui/icons';
import { SegmentedField } from '@/ui/SegmentedControl';
import { TextField } from '@/ui/TextField';
import { EmbeddedOnly } from './EmbeddedOnly';
import { TOKEN_KINDS, tokenErrors, toTokenDraft } from './rules';

export function ApiTokenCreatePage() {
  // Not in the URL: the secret must not be in the browser's history.
  const [created, setCreated] = useState<CreatedApiToken>();
  return (
    <EmbeddedOnly>
      <FormPage title={created?.name ?? 'New API token'} within={sections.apiTokens}>
        {created ? <TokenSecret secret={created.secret} /> : <ApiTokenForm onCreated={setCreated} />}
      </FormPage>
    </EmbeddedOnly>
  );
}

function ApiTokenForm({ onCreated }: { onCreated: (created: CreatedApiToken | undefined) => void }) {
  const create = apiTokenResource.useCreate();
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

/** The secret of a new token, which cannot be read again. */
function TokenSecret({ secret }: { secret: string }) {
  const [isCopied, setCopied] = useState(false);
  useLeaveGuard(!isCopied);

  async function copy() {
    if (await copyAndNotify(secret)) setCopied(true);
  }

  /** A part of the secret is no copy. */
  function noteCopy({ currentTarget: { selectionStart, selectionEnd, value } }: ClipboardEvent<HTMLInputElement>) {
    if (selectionStart === 0 && selectionEnd === value.length) setCopied(true);
  }

  return (
    <div className="grid max-w-180 gap-6">
      <Card>
        <div className="grid gap-4">
          <p role="status" className="flex items-center gap-2 text-warn">
            <WarningIcon className="shrink-0" />
            Copy the token now. It is not stored and cannot be shown again.
          </p>
          <TextField
            label="Token"
            readOnly
            autoFocus
            className="font-mono"
            value={secret}
            onChange={() => undefined}
            onFocus={(event) => event.currentTarget.select()}
            onCopy={noteCopy}
            help="Client libraries send it in the header Authorization."
          />
        </div>
      </Card>
      <div className="flex flex-wrap items-center gap-2.5">
        <Button variant="primary" icon={<CopyIcon />} onClick={() => void copy()}>
          Copy token
        </Button>
        <LinkButton to={sections.apiTokens.path}>Done</LinkButton>
      </div>
    </div>
  );
}
