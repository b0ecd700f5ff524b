import { tags } from '@/api/endpoints';
import type { ApiTokenDraft } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useProjects } from '@/api/reads';
import type { FieldsProps } from '@/shared/entity';
import { Card } from '@/ui/Card';
import { ChipsField } from '@/ui/ChipsField';
import { WarningIcon } from '@/ui/icons';
import { SegmentedField } from '@/ui/SegmentedField';
import { TextField } from '@/ui/TextField';
import { apiTokens } from '../apiTokens';
import { KINDS } from '../rules';

export function ApiTokenFields(props: FieldsProps<ApiTokenDraft>) {
  const { input, errors, onChange } = props;
  return (
    <Card>
      <div className="grid gap-4">
        <TextField
          label="Name"
          required
          autoComplete="off"
          help="Such as the application that uses the token. It cannot be changed later."
          error={errors.name}
          value={input.name}
          onChange={(name) => onChange({ ...input, name })}
        />
        <div className="grid gap-1.5">
          <SegmentedField
            label="Kind"
            value={input.kind}
            options={KINDS}
            onChange={(kind) => onChange({ ...input, kind })}
          />
          {input.kind === 'client' ? <ClientNote /> : <FrontendNote />}
        </div>
        {input.kind === 'frontend' && <ScopeFields {...props} />}
      </div>
    </Card>
  );
}

function ClientNote() {
  const { items } = apiTokens.useList();
  return (
    <>
      <p className="text-muted text-secondary">
        For servers, which read the definitions of all toggles. Keep the token secret.
      </p>
      {items && !items.some(({ kind }) => kind === 'client') && (
        <p className="flex items-start gap-1.5 text-secondary text-warn">
          <WarningIcon className="mt-0.5 shrink-0" />
          This is the first client token. Once it exists, client libraries without a token are refused.
        </p>
      )}
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

function ScopeFields({ input, errors, onChange }: FieldsProps<ApiTokenDraft>) {
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
